import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isDue } from "#cli/cron-due.ts";

function minutesOf(cron: string, from: string, count: number): string[] {
  const start = Date.parse(from);
  return Array.from({ length: count }, (_, index) => new Date(start + index * 60_000))
    .filter((at) => isDue(cron, at))
    .map((at) => at.toISOString().slice(11, 16));
}

describe("a cron expression", () => {
  test.each([
    ["*/20 * * * *", ["10:00", "10:20", "10:40"]],
    ["5,50-52 10 * * *", ["10:05", "10:50", "10:51", "10:52"]],
    ["30/10 * * * *", ["10:30", "10:40", "10:50"]],
    ["0 9 * * *", []],
  ])("%s is due at %j", (cron, minutes) => {
    expect(minutesOf(cron, "2026-03-02T10:00:00Z", 60)).toEqual(minutes);
  });

  test.each([
    // 1 March 2026 is a Sunday; the platform counts the week from 1.
    ["0 0 * * 1", "2026-03-01", true],
    ["0 0 * * 2", "2026-03-01", false],
    ["0 0 1 * *", "2026-03-01", true],
    ["0 0 1 4 *", "2026-03-01", false],
    ["0 0 9 * 1", "2026-03-01", true],
    ["0 0 9 * 2", "2026-03-09", true],
    ["0 0 9 * 3", "2026-03-01", false],
  ])("%s on %s: %s", (cron, day, due) => {
    expect(isDue(cron, new Date(`${day}T00:00:30Z`))).toBe(due);
  });

  test.each(["", "* * * *", "* * * * * *", "60 * * * *", "* * 0 * *", "*/0 * * * *", "@daily"])(
    "%j is not understood",
    (cron) => {
      expect(isDue(cron, new Date())).toBeUndefined();
    },
  );

  test("with a step is due whenever the minute divides", () => {
    const date = fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 59 }), date, (step, at) => {
        expect(isDue(`*/${step} * * * *`, at)).toBe(at.getUTCMinutes() % step === 0);
      }),
    );
  });

  test("never throws, whatever it is", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        isDue(text, new Date(0));
      }),
    );
  });
});
