import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { localTime, wallTime } from "#kit/wall-time.ts";

describe("the time on the wall", () => {
  // B53: the day is the owner's, not UTC's.
  test.each([
    ["America/Denver", Date.UTC(2026, 4, 20, 3, 10), "Tuesday 2026-05-19 21:10"],
    ["Asia/Kathmandu", Date.UTC(2026, 4, 19, 18, 15), "Wednesday 2026-05-20 00:00"],
    ["Pacific/Apia", Date.UTC(2011, 11, 30, 9, 59), "Thursday 2011-12-29 23:59"],
    ["Pacific/Apia", Date.UTC(2011, 11, 30, 10, 0), "Saturday 2011-12-31 00:00"],
  ])("is in %s at %i %j", (timeZone, at, shown) => {
    expect(localTime(at, timeZone)).toBe(shown);
  });

  test("is UTC's in UTC", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4e12 }), (at) => {
        const { day, time } = wallTime(at, "UTC");
        expect(`${day}T${time}`).toBe(new Date(at).toISOString().slice(0, 16));
      }),
    );
  });

  test("is there in no zone that nobody knows", () => {
    expect(() => wallTime(0, "Moon/Base")).toThrow(RangeError);
  });
});
