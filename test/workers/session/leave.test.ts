import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import { leave } from "#core/session/leave.ts";
import { Conversation } from "./conversation.ts";
import { HeldModel } from "./held-model.ts";
import { standingClock } from "./standing-clock.ts";

/** A conversation that is one too many and long unused: what leaves it, what stays, and how it goes on. */
const day = 24 * 3_600_000;
const extra = { model: "anthropic/claude-haiku-4-5" };

const at = standingClock();

const rows = (talk: Conversation) =>
  runInDurableObject(talk.stub, (_instance, { storage }) =>
    ["entry", "inbox", "journal", "outbox", "turn"].map(
      (table) => storage.sql.exec(`SELECT count(*) AS n FROM ${table}`).one()["n"],
    ),
  );

async function exported(talk: Conversation): Promise<{ seq: number; role: string }[]> {
  const text = await new Response(await talk.stub.exportTranscript()).text();
  return text
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => JSON.parse(line));
}

/** A conversation whose last message was three days ago. */
async function unused(): Promise<Conversation> {
  const talk = new Conversation();
  await talk.stub.accept(talk.envelope("/think low"));
  const { seq } = await talk.stub.accept(talk.envelope("My bicycle is green.", { extra }));
  await talk.turnOf(seq);
  await vi.waitFor(async () => {
    await runDurableObjectAlarm(talk.stub);
    expect(await talk.stub.wake("sweep")).toMatchObject({ idle: true });
  }, 10_000);
  at(Date.now() + 3 * day);
  return talk;
}

/** Asks, as its agent does again and again, until nothing is left there. */
async function putAway(talk: Conversation): Promise<void> {
  await vi.waitFor(async () => {
    await runDurableObjectAlarm(talk.stub);
    expect(await talk.stub.putAway()).toBe("away");
  }, 15_000);
}

test("it is emptied but for its settings, and goes on with a word about its past", async () => {
  const model = new HeldModel(() => ({ text: "Noted." }));
  const talk = await unused();
  expect(await talk.stub.putAway()).toBe("more");
  await putAway(talk);
  expect(await rows(talk)).toEqual([0, 0, 0, 0, 0]);
  const before = await exported(talk);
  expect(before.map(({ seq, role }) => [seq, role])).toEqual([
    [1, "user"],
    [2, "assistant"],
  ]);
  // Asked again, it says the same, and nothing is there twice.
  expect(await talk.stub.putAway()).toBe("away");

  const { seq } = await talk.stub.accept(talk.envelope("Which colour is it?", { extra }));
  expect(await talk.turnOf(seq)).toMatchObject({ status: "done", detail: { thinking: "low" } });
  const asked = JSON.stringify(model.calls.at(-1));
  expect(asked).toContain("archived and not shown here");
  expect(asked).not.toContain("bicycle");
  expect((await exported(talk)).map((line) => line.seq)).toEqual([1, 2, 3, 4]);
  const history = await talk.stub.historyPage({ limit: 50, before: 3 });
  expect(history?.lines.map(({ text }) => text)).toEqual(["My bicycle is green.", "Noted."]);
  await talk.stub.accept(talk.envelope("/new"));
  const next = await talk.stub.accept(talk.envelope("And now?", { extra }));
  await talk.turnOf(next.seq);
  expect(JSON.stringify(model.calls.at(-1))).not.toContain("archived and not shown here");
});

test("one that was used in the last two days stays as it is", async () => {
  const model = new HeldModel(() => ({ text: "Noted." }));
  const talk = await unused();
  at(Date.now() - 2 * day);
  expect(await talk.stub.putAway()).toBe("kept");
  expect((await rows(talk))[0]).toBe(2);
  const { seq } = await talk.stub.accept(talk.envelope("Which colour?", { extra }));
  await talk.turnOf(seq);
  expect(JSON.stringify(model.calls.at(-1))).toContain("bicycle");
});

test("one in which a question waits stays as it is", async () => {
  new HeldModel(({ index }) =>
    index === 1
      ? { toolCalls: [{ name: "ask_user", arguments: { question: "Which one?" } }] }
      : { text: "Noted." },
  );
  const talk = new Conversation();
  await talk.stub.accept(talk.envelope("ask me", { extra }));
  await vi.waitFor(async () => {
    await runDurableObjectAlarm(talk.stub);
    expect(await talk.inside(({ turns }) => turns.parked())).toHaveLength(1);
  }, 10_000);
  const unusedNow = vi.spyOn(Date, "now");
  unusedNow.mockReturnValue(Date.now() + 3 * day);
  expect(await talk.stub.putAway()).toBe("kept");
  expect(await talk.inside(({ turns }) => turns.parked())).toHaveLength(1);
});

test("killed at any write to the bucket, it is put away whole by the next call", async () => {
  new HeldModel(() => ({ text: "Noted." }));
  const talk = await unused();
  expect(await talk.stub.putAway()).toBe("more");
  await vi.waitFor(async () => {
    await runDurableObjectAlarm(talk.stub);
    expect(await talk.stub.wake("sweep")).toMatchObject({ idle: true });
  }, 10_000);
  const killed = talk.withParts(
    ({ parts }) => ({
      parts: {
        ...parts,
        async put(first, text) {
          await parts.put(first, text);
          throw new Error("killed");
        },
      },
    }),
    leave,
  );
  await expect(killed).rejects.toThrow("killed");
  expect((await exported(talk)).map(({ seq }) => seq)).toEqual([1, 2]);
  await putAway(talk);
  expect((await exported(talk)).map(({ seq }) => seq)).toEqual([1, 2]);
  const prefix = `agents/main/sessions/${encodeURIComponent(talk.key)}/parts/`;
  expect((await env.FILES.list({ prefix })).objects).toHaveLength(1);
});

test("a message that comes while it leaves is answered, and not twice", async () => {
  const model = new HeldModel(() => ({ text: "Noted." }));
  const talk = await unused();
  expect(await talk.stub.putAway()).toBe("more");
  const envelope = talk.envelope("Still there?", { extra });
  const { seq } = await talk.stub.accept(envelope);
  expect(await talk.stub.putAway()).toBe("kept");
  await talk.turnOf(seq);
  expect(await talk.stub.accept(envelope)).toEqual({ status: "duplicate", seq });
  expect(model.calls).toHaveLength(2);
  expect((await exported(talk)).map((line) => line.seq)).toEqual([1, 2, 3, 4]);
});
