import { describe, expect, test } from "vitest";
import { LaneTable, LEASE_MS } from "#platform/agent/lanes.ts";
import { insideAgent } from "./agent-database.ts";

const turn = (index: number, lane: "main" | "subagent" | "cron" | "nested" = "main") => ({
  turnId: `${lane}-turn-${index}`,
  sessionKey: `session-${lane}-${index}`,
  lane,
});

describe("a lane", () => {
  test.each([
    ["main", 8],
    ["subagent", 8],
    ["cron", 2],
    ["nested", 2],
  ] as const)("%s takes %i turns and makes the next one wait", async (lane, limit) => {
    await insideAgent(({ database, clock }) => {
      const lanes = new LaneTable(database, clock.now);
      for (let index = 0; index < limit; index += 1) {
        expect(lanes.take(turn(index, lane))).toEqual({ granted: true });
      }
      expect(lanes.take(turn(limit, lane))).toMatchObject({ granted: false });
    });
  });

  test("does not block another", async () => {
    await insideAgent(({ database, clock }) => {
      const lanes = new LaneTable(database, clock.now);
      for (let index = 0; index < 9; index += 1) lanes.take(turn(index, "cron"));
      expect(lanes.take(turn(1, "main"))).toEqual({ granted: true });
    });
  });

  test("counts a turn once, however often it asks", async () => {
    await insideAgent(({ database, clock }) => {
      const lanes = new LaneTable(database, clock.now);
      for (let index = 0; index < 9; index += 1) lanes.take(turn(1, "cron"));
      expect(lanes.take(turn(2, "cron"))).toEqual({ granted: true });
      expect(lanes.take(turn(3, "cron"))).toMatchObject({ granted: false });
      expect(lanes.take(turn(1, "cron"))).toEqual({ granted: true });
    });
  });

  test("names the oldest waiter when a place becomes free, each once", async () => {
    await insideAgent(({ database, clock }) => {
      const lanes = new LaneTable(database, clock.now);
      for (const index of [1, 2, 3, 4, 3]) {
        clock.time += 1;
        lanes.take(turn(index, "cron"));
      }
      expect(lanes.release("cron-turn-1")).toBe("session-cron-3");
      expect(lanes.release("cron-turn-1")).toBeNull();
      expect(lanes.release("cron-turn-2")).toBe("session-cron-4");
      expect(lanes.release("never-seen")).toBeNull();
    });
  });

  test("is freed from a turn that died, but not from one that goes on", async () => {
    await insideAgent(({ database, clock }) => {
      const lanes = new LaneTable(database, clock.now);
      lanes.take(turn(1, "cron"));
      lanes.take(turn(2, "cron"));
      lanes.take(turn(3, "cron"));
      clock.time += LEASE_MS - 1;
      lanes.take(turn(2, "cron"));
      clock.time += 1;
      expect(lanes.expire()).toEqual(["session-cron-3"]);
      expect(lanes.take(turn(3, "cron"))).toEqual({ granted: true });
      expect(lanes.take(turn(4, "cron"))).toMatchObject({ granted: false });
    });
  });
});
