import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import type { WakeAnswer } from "#contract/agent-rpc.ts";
import { SessionDirectory } from "#platform/agent/sessions.ts";
import { sweep } from "#platform/agent/sweep.ts";
import { Conversation } from "#test/workers/session/conversation.ts";
import { insideAgent, silent, type Inside } from "./agent-database.ts";
import { freshAgent } from "./agent-stub.ts";

/** Which sessions an agent knows, and how it wakes those that wait. */
describe("an agent and its sessions", () => {
  const key = (id: string, index: number) => `agent:${id}:telegram:direct:${index}`;

  // That the one which waits is woken is seen from its side, in session/lane.test.ts.
  test("a turn is refused by a full lane, granted when another ended, and so for each agent", async () => {
    const { id, stub } = freshAgent();
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
    expect(await stub.beginStep(turn(3))).toMatchObject({ granted: true });
    const other = env.AGENT.getByName(freshAgent().id);
    expect(await other.beginStep(turn(4))).toMatchObject({ granted: true });
  });

  test("the sweep wakes a busy session and lets an idle one rest", async () => {
    const { id, stub } = freshAgent();
    const talk = new Conversation(`agent:${id}:api:direct:somebody`);
    const { seq } = await talk.stub.accept(talk.envelope("hello"));
    expect(await stub.findSession(talk.key)).toMatchObject({ sessionKey: talk.key });
    await talk.turnOf(seq);
    expect(await stub.sweep()).toEqual({ woken: 1 });
    // At the latest when it has handed over what the turn has cost.
    await vi.waitFor(async () => expect(await stub.sweep()).toEqual({ woken: 0 }), 10_000);
    await talk.stub.accept(talk.envelope("hello again"));
    expect(await stub.sweep()).toEqual({ woken: 1 });
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
