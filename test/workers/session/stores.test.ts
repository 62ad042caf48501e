import { describe, expect, test } from "vitest";
import type { UsageRow } from "#contract/agent-port.ts";
import type { InboundMessage } from "#contract/message.ts";
import type { Turn } from "#contract/turn.ts";
import { Conversation } from "./conversation.ts";

/** The tables of a session on their real SQLite. */
describe("the inbox", () => {
  function rowOf(message: InboundMessage, instructions: string) {
    return {
      deliveryKey: "d",
      identityKey: "i",
      kind: "message",
      status: "waiting",
      message,
      extra: { instructions },
      contentHash: null,
      receivedAt: 0,
      notBefore: 0,
    } as const;
  }

  test("refuses a row whose parts have room one by one but not together", async () => {
    const talk = new Conversation();
    await talk.inside(({ inbox }) => {
      const half = "天".repeat(330_000);
      const { message } = talk.envelope(half);
      expect(() => inbox.insert(rowOf(message, half))).toThrow(/does not fit a row/);
      expect(inbox.insert(rowOf(message, "short"))).toBe(1);
    });
  });
});

describe("turns", () => {
  function turnOf(id: string, endedAt: number | null): Turn {
    const { route, sender } = new Conversation().envelope("hello").message;
    const detail = { route, sender, interactiveOwner: true, model: "m", thinking: "off" } as const;
    const status = endedAt === null ? "running" : "done";
    const common = { sessionId: "s", trigger: "user", phase: "model", step: 1 } as const;
    const zeros = { attempts: 0, resumes: 0, nextAt: 0, startedAt: 0 };
    return { ...common, ...zeros, id, status, endedAt, detail };
  }

  test("that ended long ago are forgotten, but for the latest and what still runs", async () => {
    const talk = new Conversation();
    await talk.inside(({ turns }) => {
      turns.insert(turnOf("running", null));
      for (let index = 0; index < 250; index += 1) turns.insert(turnOf(`old-${index}`, 10));
      turns.insert(turnOf("newer", 30));
      turns.insert(turnOf("latest", 10));
      turns.prune(20);
      // A bounded number at a time.
      expect(turns.get("old-249")).not.toBeNull();
      turns.prune(20);
      turns.prune(20);
      turns.prune(20);
      expect(turns.get("old-0")).toBeNull();
      expect(turns.get("old-249")).toBeNull();
      for (const id of ["running", "newer", "latest"]) expect(turns.get(id)?.id).toBe(id);
      expect(turns.latest()?.id).toBe("latest");
    });
  });

  test("are found by the index on their end", async () => {
    const talk = new Conversation();
    const plan = await talk.inside((_store, { storage }) => {
      const query =
        "explain query plan select seq from turn where ended_at is not null and ended_at < 5 limit 9";
      return storage.sql.exec<{ detail: string }>(query).toArray();
    });
    expect(plan.map(({ detail }) => detail).join()).toContain("turn_ended");
  });
});

describe("sums of usage", () => {
  const rowOf = (sessionId: string, at: number, call = 1): UsageRow => ({
    id: `${sessionId}:${call}`,
    agentId: "main",
    sessionKey: "k",
    sessionId,
    turnId: "t",
    provider: "demo",
    model: "demo",
    input: 3,
    output: 2,
    cacheRead: 0,
    cacheWrite: 0,
    latencyMs: 1,
    cost: 0.5,
    at,
  });

  test("of sessions that began long ago are forgotten, but for the present one", async () => {
    const talk = new Conversation();
    await talk.inside(({ usage }) => {
      usage.add(rowOf("old", 10));
      usage.add(rowOf("present", 10));
      usage.add(rowOf("present", 40, 2));
      usage.add(rowOf("newer", 30));
      usage.prune(20, "present");
      expect(usage.totals("old").calls).toBe(0);
      expect(usage.totals("present")).toMatchObject({ calls: 2, input: 6, cost: 1 });
      expect(usage.totals("newer").calls).toBe(1);
    });
  });
});

describe("usage that was not reported", () => {
  test("is counted as unknown, not as none", async () => {
    const talk = new Conversation();
    await talk.inside(({ usage }) => {
      const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
      const of = { agentId: "main", sessionKey: "k", sessionId: "s", turnId: "t" };
      const call = { ...of, provider: "demo", model: "demo", latencyMs: 1, at: 1 };
      usage.add({ ...call, id: "1", ...none, input: 3, cost: 0.5 });
      usage.add({ ...call, id: "2", ...none, cost: null, unreported: true });
      expect(usage.totals("s")).toMatchObject({ calls: 2, input: 3, cost: null, unreported: 1 });
      expect(usage.pending(9).map(({ unreported }) => unreported)).toEqual([undefined, true]);
    });
  });
});

describe("a page of the transcript", () => {
  test("ends where memory does, has one entry at least, and nothing is left out", async () => {
    const talk = new Conversation();
    await talk.inside(({ transcript }) => {
      const lengths = [10, 1_800_000, 1_800_000, 1_800_000, 600_000, 10, 10];
      for (const length of lengths) {
        transcript.append({
          sessionId: "s",
          turnId: "t",
          at: 1,
          trust: "agent",
          tokens: 1,
          role: "note",
          text: "x".repeat(length),
        });
      }
      const pages: number[][] = [];
      let after = 0;
      for (;;) {
        const page = transcript.page(after, 4);
        if (page.length === 0) break;
        pages.push(page.map(({ seq }) => seq));
        after = page.at(-1)?.seq ?? after;
      }
      expect(pages).toEqual([
        [1, 2, 3],
        [4, 5, 6, 7],
      ]);
      expect(transcript.pageOf("s", 2, 4).map(({ seq }) => seq)).toEqual([2, 3]);
      expect(transcript.pageOf("other", 1, 4)).toEqual([]);
    });
  });
});
