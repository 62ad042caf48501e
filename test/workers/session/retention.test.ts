import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, test, vi } from "vitest";
import type { BusyEntry } from "#contract/agent-port.ts";
import { accept } from "#core/session/accept.ts";
import { work } from "#core/session/work.ts";
import { Conversation, workUntilDone } from "./conversation.ts";
import { standingClock } from "./standing-clock.ts";

/** What a session forgets as time goes by, and when it ends by itself. */
const day = 24 * 3_600_000;

const at = standingClock();

const alarmOf = (talk: Conversation) => talk.inside((_store, { storage }) => storage.getAlarm());
const agent = () => env.AGENT.getByName("main");

/** Waits until nothing is open any more; returns when the object wants to wake up again. */
async function rest(talk: Conversation, seq: number): Promise<number | null> {
  await talk.turnOf(seq);
  return vi.waitFor(async () => {
    const alarm = await alarmOf(talk);
    if (alarm !== null && alarm < Date.now() + 3_600_000) throw new Error("not at rest");
    return alarm;
  }, 10_000);
}

test("a group in which nobody speaks to the assistant does not grow without end", async () => {
  const talk = new Conversation();
  const now = Date.now();
  await talk.inside(({ inbox }) => {
    for (let index = 0; index < 80; index += 1) {
      const { message } = talk.envelope(`word ${index}`);
      inbox.insert({
        deliveryKey: `d${index}`,
        identityKey: `i${index}`,
        kind: "message",
        status: "done",
        message,
        extra: {},
        contentHash: null,
        receivedAt: now - 8 * day,
        notBefore: 0,
      });
    }
  });
  for (let index = 0; index < 3; index += 1) {
    await talk.stub.accept(talk.envelope("overheard", { buffer: true }));
  }
  expect(await alarmOf(talk)).toBeNull();
  await talk.inside(({ inbox }) => {
    const left = Array.from({ length: 83 }, (_, index) => inbox.get(index + 1));
    expect(left.filter((row) => row !== null)).toHaveLength(3);
    expect(inbox.list("buffered", "message", 10)).toHaveLength(3);
  });
});

describe("a conversation that was made for one request", () => {
  const once = () => new Conversation(`agent:main:api:once:${crypto.randomUUID()}`);
  const tables = (talk: Conversation) =>
    talk.inside((_store, { storage }) =>
      storage.sql
        .exec<{ name: string }>(
          "select name from sqlite_master where name not like '\\_%' escape '\\'",
        )
        .toArray(),
    );

  test("deletes itself two days after the last message, and works again after that", async () => {
    const talk = once();
    const start = Date.now();
    const first = await talk.stub.accept(talk.envelope("hello"));
    const alarm = await rest(talk, first.seq);
    expect(alarm).toBeGreaterThanOrEqual(start + 2 * day);
    expect(alarm).toBeLessThan(Date.now() + 2 * day + 1);
    expect(await agent().findSession(talk.key)).not.toBeNull();

    at(start + 3 * day);
    await runDurableObjectAlarm(talk.stub);
    expect(await agent().findSession(talk.key)).toBeNull();
    expect(await tables(talk)).toEqual([]);
    expect(await alarmOf(talk)).toBeNull();

    const again = await talk.stub.accept(talk.envelope("hello again"));
    expect(again).toEqual({ status: "accepted", seq: 1 });
    expect(await talk.turnOf(again.seq)).toMatchObject({ status: "done" });
    expect(await agent().findSession(talk.key)).not.toBeNull();
  });

  test("leaves its transcript in the bucket when it goes", async () => {
    const talk = once();
    const first = await talk.stub.accept(talk.envelope("hello old friend"));
    await rest(talk, first.seq);
    const prefix = `agents/main/sessions/${encodeURIComponent(talk.key)}/`;
    expect((await env.FILES.list({ prefix })).objects).toEqual([]);
    at(Date.now() + 3 * day);
    await runDurableObjectAlarm(talk.stub);
    expect(await tables(talk)).toEqual([]);
    const { objects } = await env.FILES.list({ prefix });
    const [object] = objects;
    expect(objects).toHaveLength(1);
    const lines = await (await env.FILES.get(object?.key ?? ""))?.text();
    expect(lines).toContain("hello old friend");
    expect(lines?.trimEnd().split("\n")).toHaveLength(3);
  });

  test("stays while its transcript cannot be written", async () => {
    const talk = once();
    const first = await talk.stub.accept(talk.envelope("hello"));
    await rest(talk, first.seq);
    const later = Date.now() + 3 * day;
    at(later);
    const put = vi.spyOn(env.FILES, "put").mockRejectedValue(new Error("the bucket is away"));
    await runDurableObjectAlarm(talk.stub);
    expect(put).toHaveBeenCalled();
    // As soon as any failed archive is tried again.
    expect(await alarmOf(talk)).toBe(later + 60_000);
    put.mockRestore();
    at(later + day);
    await runDurableObjectAlarm(talk.stub);
    expect(await tables(talk)).toEqual([]);
  });

  test("stays for two days more when something happens in it", async () => {
    const talk = once();
    const start = Date.now();
    const first = await talk.stub.accept(talk.envelope("hello"));
    await rest(talk, first.seq);
    // The alarm of the first day comes late, when there is a newer message already.
    at(start + 3 * day);
    const second = await talk.stub.accept(talk.envelope("hello again"));
    expect(await rest(talk, second.seq)).toBe(start + 5 * day);
    at(start + 4 * day);
    await runDurableObjectAlarm(talk.stub);
    expect(await alarmOf(talk)).toBe(start + 5 * day);
    expect(await talk.inside(({ inbox }) => inbox.get(first.seq))).not.toBeNull();
  });

  test("waits until its agent has taken it out of the directory", async () => {
    const talk = once();
    const first = await talk.stub.accept(talk.envelope("hello"));
    await rest(talk, first.seq);
    const later = Date.now() + 3 * day;
    at(later);
    let asked = 0;
    const forgetSession = async () => {
      asked += 1;
      throw new Error("the agent is away");
    };
    await talk.withParts(({ agent }) => ({ agent: { ...agent, forgetSession } }), work);
    expect(asked).toBe(1);
    expect(await alarmOf(talk)).toBe(later + 3_600_000);
    at(later + day);
    await runDurableObjectAlarm(talk.stub);
    expect(await tables(talk)).toEqual([]);
  });

  test.each([
    ["is stored", 0],
    ["is about to be stored", 1_000],
  ])("is kept when a message %s while it is about to go", async (_what, delay) => {
    const talk = once();
    const first = await talk.stub.accept(talk.envelope("hello"));
    await rest(talk, first.seq);
    at(Date.now() + 3 * day);
    const told: BusyEntry[] = [];
    const leaves = Promise.withResolvers<void>();
    const slow = {
      async forgetSession() {
        leaves.resolve();
        await scheduler.wait(500);
      },
      async markBusy(entry: BusyEntry) {
        told.push(entry);
        await scheduler.wait(delay);
      },
    };
    await talk.withParts(
      ({ agent }) => ({ agent: { ...agent, ...slow } }),
      async (ports) => {
        const leaving = work(ports);
        await leaves.promise;
        const second = await accept(ports, talk.envelope("wait"));
        expect(told).toEqual([expect.objectContaining({ sessionKey: talk.key })]);
        await leaving;
        expect(await workUntilDone(ports, second.seq)).toMatchObject({ status: "done" });
      },
    );
    expect(await talk.inside(({ inbox }) => inbox.get(first.seq))).not.toBeNull();
  });
});

test("a conversation that somebody continues stays, and sets no alarm", async () => {
  const talk = new Conversation();
  const { seq } = await talk.stub.accept(talk.envelope("hello"));
  expect(await rest(talk, seq)).toBeNull();
  at(Date.now() + 400 * day);
  await runDurableObjectAlarm(talk.stub);
  await talk.stub.wake("sweep");
  expect(await talk.inside(({ transcript }) => transcript.page(0, 10).length)).toBe(2);
});
