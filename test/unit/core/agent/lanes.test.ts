import { beforeEach, describe, expect, test } from "vitest";
import { Lanes, LEASE_MS } from "#core/agent/lanes.ts";

const turn = (index: number, lane: "main" | "subagent" | "cron" | "nested" = "main") => ({
  turnId: `${lane}-turn-${index}`,
  sessionKey: `session-${lane}-${index}`,
  lane,
});

let clock = { time: 0 };
beforeEach(() => {
  clock = { time: 1_900_000_000_000 };
});

describe("a lane", () => {
  test.each([
    ["main", 8],
    ["subagent", 8],
    ["cron", 2],
    ["nested", 2],
  ] as const)("%s takes %i turns and makes the next one wait", (lane, limit) => {
    const lanes = new Lanes(() => clock.time);
    for (let index = 0; index < limit; index += 1) {
      expect(lanes.take(turn(index, lane))).toEqual({ granted: true });
    }
    expect(lanes.take(turn(limit, lane))).toMatchObject({ granted: false });
  });

  test("does not block another", () => {
    const lanes = new Lanes(() => clock.time);
    for (let index = 0; index < 9; index += 1) lanes.take(turn(index, "cron"));
    expect(lanes.take(turn(1, "main"))).toEqual({ granted: true });
  });

  test("counts a turn once, however often it asks", () => {
    const lanes = new Lanes(() => clock.time);
    for (let index = 0; index < 9; index += 1) lanes.take(turn(1, "cron"));
    expect(lanes.take(turn(2, "cron"))).toEqual({ granted: true });
    expect(lanes.take(turn(3, "cron"))).toMatchObject({ granted: false });
    expect(lanes.take(turn(1, "cron"))).toEqual({ granted: true });
  });

  test("names the oldest waiter when a place becomes free, each once", () => {
    const lanes = new Lanes(() => clock.time);
    for (const index of [1, 2, 3, 4, 3]) {
      clock.time += 1;
      lanes.take(turn(index, "cron"));
    }
    expect(lanes.release("cron-turn-1")).toBe("session-cron-3");
    expect(lanes.release("cron-turn-1")).toBeNull();
    expect(lanes.release("cron-turn-2")).toBe("session-cron-4");
    expect(lanes.release("never-seen")).toBeNull();
  });

  test("is freed from a turn that died, but not from one that goes on", () => {
    const lanes = new Lanes(() => clock.time);
    lanes.take(turn(1, "cron"));
    lanes.take(turn(2, "cron"));
    lanes.take(turn(3, "cron"));
    clock.time += LEASE_MS - 1;
    lanes.take(turn(2, "cron"));
    lanes.take(turn(3, "cron"));
    clock.time += 1;
    expect(lanes.expire()).toEqual(["session-cron-3"]);
    expect(lanes.take(turn(3, "cron"))).toEqual({ granted: true });
    expect(lanes.take(turn(4, "cron"))).toMatchObject({ granted: false });
  });

  test("forgets a turn that waited and ended without ever having a place", () => {
    const lanes = new Lanes(() => clock.time);
    for (const index of [1, 2, 3, 4]) lanes.take(turn(index, "cron"));
    expect(lanes.release("cron-turn-3")).toBeNull();
    expect(lanes.release("cron-turn-1")).toBe("session-cron-4");
  });

  test("is not held for years by a lease from before the clock was set back", () => {
    const lanes = new Lanes(() => clock.time);
    lanes.take(turn(1, "cron"));
    lanes.take(turn(2, "cron"));
    expect(lanes.take(turn(3, "cron"))).toMatchObject({ granted: false });
    clock.time -= 365 * 86_400_000;
    expect(lanes.take(turn(4, "cron"))).toEqual({ granted: true });
  });

  test("forgets a turn that does not ask again, but keeps the place of one that does", () => {
    const lanes = new Lanes(() => clock.time);
    for (const index of [1, 2, 3, 4, 5]) lanes.take(turn(index, "cron"));
    for (let asked = 0; asked < 300; asked += 1) {
      clock.time += 5_000;
      for (const index of [1, 2, 4, 5]) lanes.take(turn(index, "cron"));
      expect(lanes.expire()).toEqual([]);
    }
    expect(lanes.release("cron-turn-1")).toBe("session-cron-4");
    expect(lanes.release("cron-turn-2")).toBe("session-cron-5");
  });
});
