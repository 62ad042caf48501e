import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import { SessionDO } from "#do/session.ts";
import type { WakeAnswer } from "#contract/agent-rpc.ts";
import { LaneTable, LEASE_MS } from "#platform/agent/lanes.ts";
import { createNotices } from "#platform/agent/notices.ts";
import { SessionDirectory } from "#platform/agent/sessions.ts";
import { sweep } from "#platform/agent/sweep.ts";
import { createTimetable, type JobOutcome } from "#platform/agent/timetable.ts";
import { insideAgent, type Inside } from "./agent-database.ts";
import { freshAgent } from "./agent-stub.ts";

/** The parts of an agent on its real SQLite, most with a clock of the test's own. */
const silent = { info() {}, warn() {}, error() {} };

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

describe("an agent and its sessions", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const key = (id: string, index: number) => `agent:${id}:telegram:direct:${index}`;

  test("a turn is refused, woken when another ends, and granted then", async () => {
    const { id, stub } = freshAgent();
    const wake = vi.spyOn(SessionDO.prototype, "wake");
    const turn = (index: number) => ({
      turnId: `turn-${index}`,
      sessionKey: key(id, index),
      lane: "nested" as const,
    });
    for (const index of [1, 2]) {
      expect(await stub.beginStep(turn(index))).toMatchObject({ granted: true });
    }
    const refused = await stub.beginStep(turn(3));
    expect(refused).toEqual({ granted: false, retryAfterMs: expect.any(Number) });
    await stub.endTurn({ ...turn(1), usage: [] });
    await vi.waitFor(() => expect(wake.mock.calls).toEqual([["lane"]]));
    expect(await stub.beginStep(turn(3))).toMatchObject({ granted: true });
    const other = env.AGENT.getByName(freshAgent().id);
    expect(await other.beginStep(turn(4))).toMatchObject({ granted: true });
  });

  test("the sweep wakes a busy session and lets an idle one rest", async () => {
    const { id, stub } = freshAgent();
    const wake = vi.spyOn(SessionDO.prototype, "wake").mockResolvedValue({ idle: true, mark: 1 });
    await stub.markBusy({ sessionKey: key(id, 1), mark: 1 });
    expect(await stub.findSession(key(id, 1))).toMatchObject({ sessionKey: key(id, 1) });
    expect(await stub.sweep()).toEqual({ woken: 1 });
    expect(wake.mock.calls).toEqual([["sweep"]]);
    expect(await stub.sweep()).toEqual({ woken: 0 });
  });
});

/** A directory, and sessions that answer as told; what is not told is busy. */
function sweepRig({ database, clock }: Inside) {
  const directory = new SessionDirectory(database, clock.now);
  const woken: string[] = [];
  const answers = new Map<string, () => WakeAnswer>();
  const wake = async (key: string) => {
    woken.push(key);
    return answers.get(key)?.() ?? { idle: false, mark: 1 };
  };
  return { directory, woken, answers, run: () => sweep(directory, wake, silent) };
}

const keys = (entries: readonly { sessionKey: string }[]) => entries.map((each) => each.sessionKey);

describe("the sweep", () => {
  test("wakes busy sessions only, and those that are idle just once", async () => {
    await insideAgent(async (inside) => {
      const { directory, woken, answers, run } = sweepRig(inside);
      directory.markBusy({ sessionKey: "a", mark: 1 });
      directory.markBusy({ sessionKey: "b", mark: 7 });
      answers.set("b", () => ({ idle: true, mark: 7 }));
      expect(await run()).toEqual({ woken: 2 });
      woken.length = 0;
      expect(await run()).toEqual({ woken: 1 });
      expect(woken).toEqual(["a"]);
    });
  });

  test("keeps the mark of a session that got new work meanwhile", async () => {
    await insideAgent(async (inside) => {
      const { directory, answers, run } = sweepRig(inside);
      directory.markBusy({ sessionKey: "a", mark: 1 });
      answers.set("a", () => {
        directory.markBusy({ sessionKey: "a", mark: 2 });
        return { idle: true, mark: 1 };
      });
      await run();
      expect(directory.busy(9)).toEqual([{ sessionKey: "a", mark: 2 }]);
    });
  });

  test("goes on when a session fails, and keeps that one marked", async () => {
    await insideAgent(async (inside) => {
      const { directory, answers, run } = sweepRig(inside);
      for (const sessionKey of ["a", "b", "c"]) directory.markBusy({ sessionKey, mark: 1 });
      answers.set("a", () => {
        throw new Error("reset because its code was updated");
      });
      for (const key of ["b", "c"]) answers.set(key, () => ({ idle: true, mark: 1 }));
      expect(await run()).toEqual({ woken: 2 });
      expect(keys(directory.busy(9))).toEqual(["a"]);
    });
  });

  test("is bounded, and comes to everybody in turn", async () => {
    await insideAgent(async (inside) => {
      const { directory, woken, run } = sweepRig(inside);
      for (let index = 0; index < 300; index += 1) {
        inside.clock.time += 1;
        directory.markBusy({ sessionKey: `s${index}`, mark: 1 });
      }
      inside.clock.time += 1_000;
      expect(await run()).toEqual({ woken: 200 });
      expect(woken[0]).toBe("s0");
      inside.clock.time += 1_000;
      await run();
      expect(new Set(woken).size).toBe(300);
      expect(woken.slice(200, 300)).toEqual(Array.from({ length: 100 }, (_, n) => `s${n + 200}`));
    });
  });
});

describe("the directory", () => {
  test("takes the highest mark, whatever the order of arrival", async () => {
    await insideAgent((inside) => {
      const { directory } = sweepRig(inside);
      for (const mark of [3, 5, 4]) directory.markBusy({ sessionKey: "a", mark });
      directory.clear({ sessionKey: "a", mark: 4 });
      expect(directory.busy(9)).toEqual([{ sessionKey: "a", mark: 5 }]);
      directory.clear({ sessionKey: "a", mark: 5 });
      expect(directory.busy(9)).toEqual([]);
      directory.markBusy({ sessionKey: "a", mark: 6 });
      expect(directory.busy(9)).toEqual([{ sessionKey: "a", mark: 6 }]);
    });
  });

  test("finds a session by key and by address, whatever its case", async () => {
    await insideAgent((inside) => {
      const { directory } = sweepRig(inside);
      const address = "slack:C0Fake01:171.5";
      directory.markBusy({ sessionKey: "k1", mark: 1, address });
      inside.clock.time += 5;
      directory.markBusy({ sessionKey: "k2", mark: 1 });
      const found = { sessionKey: "k1", lastActiveAt: inside.clock.time - 5 };
      expect(directory.find("k1")).toEqual(found);
      expect(directory.find("SLACK:c0fake01:171.5")).toEqual(found);
      expect(directory.find("unknown")).toBeNull();
      expect(keys(directory.list(1))).toEqual(["k2"]);
      directory.markBusy({ sessionKey: "k1", mark: 2 });
      expect(directory.find(address)?.sessionKey).toBe("k1");
      expect(keys(directory.list(9))).toHaveLength(2);
    });
  });
});

test("an agent without work sweeps nothing", async () => {
  expect(await freshAgent().stub.sweep()).toEqual({ woken: 0 });
});

const stranger = (peer: string, account = "default") => ({ channel: "telegram", account, peer });

describe("a notice", () => {
  test("a stranger is told once, for ever", async () => {
    const { stub } = freshAgent();
    expect(await stub.claimNotice(stranger("p1"))).toBe(true);
    await stub.markNotice(stranger("p1"));
    expect(await stub.claimNotice(stranger("p1"))).toBe(false);
    expect(await stub.claimNotice(stranger("p2"))).toBe(true);
    expect(await stub.claimNotice(stranger("p1", "second"))).toBe(true);
  });

  test("of two messages at once only one may send the notice", async () => {
    const { stub } = freshAgent();
    const claims = await Promise.all([1, 2, 3].map(() => stub.claimNotice(stranger("p1"))));
    expect(claims.filter(Boolean)).toHaveLength(1);
  });

  test("a notice that did not go out may be tried again after a minute", async () => {
    await insideAgent(({ database, clock }) => {
      const notices = createNotices(database, clock.now);
      expect(notices.claim(stranger("p1"))).toBe(true);
      clock.time += 59_999;
      expect(notices.claim(stranger("p1"))).toBe(false);
      clock.time += 1;
      expect(notices.claim(stranger("p1"))).toBe(true);
    });
  });

  test("an account tells at most twenty strangers a day", async () => {
    await insideAgent(({ database, clock }) => {
      const notices = createNotices(database, clock.now);
      const many = Array.from({ length: 25 }, (_, index) => stranger(`p${index}`));
      expect(many.filter((key) => notices.claim(key))).toHaveLength(20);
      expect(notices.claim(stranger("p1", "second"))).toBe(true);
      clock.time += 86_400_000;
      expect(notices.claim(stranger("p30"))).toBe(true);
    });
  });
});

function timetableRig({ database, storage, clock }: Inside) {
  const timetable = createTimetable<"a" | "b">({
    database,
    storage,
    now: clock.now,
    report: silent,
  });
  const runs: string[] = [];
  const outcomes: Record<"a" | "b", () => JobOutcome | Promise<JobOutcome>> = {
    a: () => "done",
    b: () => "done",
  };
  const job = (name: "a" | "b") => async () => {
    runs.push(name);
    return outcomes[name]();
  };
  return { timetable, runs, outcomes, run: () => timetable.run({ a: job("a"), b: job("b") }) };
}

describe("the timetable", () => {
  test("runs what is due and sets the alarm for the rest", async () => {
    await insideAgent(async (inside) => {
      const { timetable, runs, run } = timetableRig(inside);
      const { clock, storage } = inside;
      timetable.schedule("b", clock.time + 5_000);
      timetable.schedule("a", clock.time + 1_000);
      timetable.schedule("a", clock.time + 9_000);
      expect(await storage.getAlarm()).toBe(clock.time + 1_000);
      await run();
      expect(runs).toEqual([]);
      clock.time += 1_000;
      await run();
      expect(runs).toEqual(["a"]);
      expect(await storage.getAlarm()).toBe(clock.time + 4_000);
      clock.time += 4_000;
      await run();
      await run();
      expect(runs).toEqual(["a", "b"]);
    });
  });

  test("tries a failed job again later and later, and runs the others meanwhile", async () => {
    await insideAgent(async (inside) => {
      const { timetable, runs, outcomes, run } = timetableRig(inside);
      const { clock, storage } = inside;
      outcomes.a = () => {
        throw new Error("down");
      };
      timetable.schedule("a", clock.time);
      timetable.schedule("b", clock.time);
      await run();
      expect(runs).toEqual(["a", "b"]);
      const delays: number[] = [];
      for (let round = 0; round < 12; round += 1) {
        const alarm = (await storage.getAlarm()) ?? 0;
        delays.push(alarm - clock.time);
        clock.time = alarm;
        await run();
      }
      expect(delays.slice(0, 3)).toEqual([5_000, 10_000, 20_000]);
      expect(Math.max(...delays)).toBe(1_800_000);
      outcomes.a = () => "done";
      clock.time += 3_600_000;
      await run();
      timetable.schedule("a", clock.time + 50);
      expect(await storage.getAlarm()).toBe(clock.time + 50);
    });
  });

  test("keeps what is scheduled while the job runs", async () => {
    await insideAgent(async (inside) => {
      const { timetable, runs, outcomes, run } = timetableRig(inside);
      const { clock } = inside;
      outcomes.a = () => {
        timetable.schedule("a", clock.time + 10);
        return "done";
      };
      timetable.schedule("a", clock.time);
      await run();
      outcomes.a = () => "done";
      clock.time += 10;
      await run();
      await run();
      expect(runs).toEqual(["a", "a"]);
    });
  });

  test("finds a job due again when its run was cut off", async () => {
    await insideAgent(async (inside) => {
      const first = timetableRig(inside);
      first.outcomes.a = () => new Promise(() => {});
      first.timetable.schedule("a", inside.clock.time);
      void first.run();
      const second = timetableRig(inside);
      await second.run();
      expect([first.runs, second.runs]).toEqual([["a"], ["a"]]);
    });
  });

  test("sets an alarm that got lost", async () => {
    await insideAgent(async (inside) => {
      const { timetable } = timetableRig(inside);
      timetable.schedule("a", inside.clock.time + 500);
      await inside.storage.deleteAlarm();
      await timetable.ensureAlarm();
      expect(await inside.storage.getAlarm()).toBe(inside.clock.time + 500);
    });
  });
});
