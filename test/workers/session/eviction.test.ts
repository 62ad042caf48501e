import { abortAllDurableObjects, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Turn } from "#contract/turn.ts";
import { sweepAgents } from "#app/cron.ts";
import type { SessionDO } from "#do/session.ts";
import type { AnswerStep, ModelCall } from "#test/doubles/model-script.ts";
import { Conversation } from "./conversation.ts";
import { HeldModel } from "./held-model.ts";

/**
 * What a conversation is after its object was taken out of memory, gracefully or in the middle of a
 * step. What a dead process leaves behind is shown by test/crash, from outside.
 */
const minute = 60_000;
const extra = { model: "anthropic/claude-haiku-4-5" };

afterEach(() => {
  vi.restoreAllMocks();
});

function finalTexts(talk: Conversation, turn: Turn): Promise<string[]> {
  return talk.inside(({ outbox }) =>
    outbox
      .ofTurn(turn.id)
      .filter(({ kind }) => kind === "final")
      .map(({ part }) => part.text),
  );
}

/** The same conversation: a stub does not outlive the abort of its object. */
function reopened(talk: Conversation): Conversation {
  return new Conversation(talk.key);
}

async function askedAndHeld(model: HeldModel, talk: Conversation): Promise<number> {
  model.held = true;
  const { seq } = await talk.stub.accept(talk.envelope("hello", { extra }));
  await model.asked(1);
  return seq;
}

// B01
test("a message that comes again after an eviction is the same message", async () => {
  const model = new HeldModel(() => ({ text: "pong" }));
  const talk = new Conversation();
  const envelope = talk.envelope("hello", { extra });
  const first = await talk.stub.accept(envelope);
  const turn = await talk.turnOf(first.seq);
  for (let repeat = 0; repeat < 2; repeat += 1) {
    await evictDurableObject(talk.stub);
    expect(await talk.stub.accept(envelope)).toEqual({ status: "duplicate", seq: first.seq });
    // The same message under a new delivery id: the platform's second kind of repeat.
    const { message } = envelope;
    const again = { ...envelope, message: { ...message, deliveryId: crypto.randomUUID() } };
    expect(await talk.stub.accept(again)).toEqual({ status: "duplicate", seq: first.seq });
  }
  expect(model.calls).toHaveLength(1);
  expect(await finalTexts(talk, turn)).toEqual(["pong"]);
  const users = await talk.inside(({ transcript }) =>
    transcript.page(0, 100).filter(({ role }) => role === "user"),
  );
  expect(users).toHaveLength(1);
});

describe("a step that is aborted in the middle of a model call", () => {
  test("is made again, and answered once", async () => {
    const model = new HeldModel((call) => ({ text: `answer ${call.index}` }));
    const talk = new Conversation();
    const seq = await askedAndHeld(model, talk);
    await abortAllDurableObjects();
    model.held = false;
    const turn = await reopened(talk).turnOf(seq);
    expect(turn).toMatchObject({ status: "done", step: 1 });
    expect(model.calls).toHaveLength(2);
    expect(await finalTexts(reopened(talk), turn)).toEqual(["answer 2"]);
  });

  test("again and again ends with words after three more tries", async () => {
    const model = new HeldModel(() => ({ text: "never" }));
    const talk = new Conversation();
    const seq = await askedAndHeld(model, talk);
    for (let tries = 1; tries <= 3; tries += 1) {
      await abortAllDurableObjects();
      await reopened(talk).stub.wake("sweep");
      await model.asked(tries + 1);
    }
    await abortAllDurableObjects();
    const turn = await reopened(talk).turnOf(seq);
    expect(turn).toMatchObject({
      status: "failed",
      detail: { outcome: { reason: "interrupted" } },
    });
    expect(model.calls).toHaveLength(4);
    expect(await finalTexts(reopened(talk), turn)).toEqual([expect.stringContaining("/again")]);
  });

  test("ends with words if the update that aborted it cannot read its journal", async () => {
    const model = new HeldModel(() => ({ text: "never" }));
    const talk = new Conversation();
    const seq = await askedAndHeld(model, talk);
    await talk.inside((_store, { storage }) => {
      storage.sql.exec("update journal set version = version + 1");
    });
    await abortAllDurableObjects();
    const turn = await reopened(talk).turnOf(seq);
    expect(turn.detail.outcome).toMatchObject({ reason: "journal_version" });
    expect(await finalTexts(reopened(talk), turn)).toEqual([expect.stringContaining("/again")]);
  });
});

describe("a turn that waits for a person", () => {
  function asksFirst(call: ModelCall): AnswerStep {
    const [result] = call.messages.at(-1)?.toolResults ?? [];
    if (result) return { text: `heard: ${result.text}` };
    return { toolCalls: [{ name: "ask_user", arguments: { question: "Which boat?" } }] };
  }

  async function parked(): Promise<{ model: HeldModel; talk: Conversation; seq: number }> {
    const model = new HeldModel(asksFirst);
    const talk = new Conversation();
    const { seq } = await talk.stub.accept(talk.envelope("hello", { extra }));
    await vi.waitFor(async () => {
      expect(await talk.inside(({ turns }) => turns.parked())).toHaveLength(1);
    });
    await evictDurableObject(talk.stub);
    return { model, talk, seq };
  }

  test("goes on with the answer after an eviction", async () => {
    const { model, talk, seq } = await parked();
    const reply = await talk.stub.accept(talk.envelope("the red one"));
    const turn = await talk.turnOf(seq);
    expect(model.calls).toHaveLength(2);
    expect(await finalTexts(talk, turn)).toEqual([expect.stringContaining("the red one")]);
    expect((await talk.turnOf(reply.seq)).id).toBe(turn.id);
  });

  test("goes on without one when its time is over", async () => {
    const { model, talk, seq } = await parked();
    const open = await talk.inside(({ turns }) => turns.parked()[0]?.detail.parked?.expiresAt);
    vi.spyOn(Date, "now").mockReturnValue((open ?? 0) + minute);
    const turn = await talk.turnOf(seq);
    expect(model.calls).toHaveLength(2);
    expect(await finalTexts(talk, turn)).toEqual([expect.stringContaining("No answer came")]);
  });
});

test("an alarm that was lost is found by the sweeper", async () => {
  const model = new HeldModel(() => ({ text: "pong" }));
  const talk = new Conversation();
  const envelope = talk.envelope("hello", { extra });
  const { seq } = await runInDurableObject(talk.stub, async (instance: SessionDO, state) => {
    const accepted = await instance.accept(envelope);
    await state.storage.deleteAlarm();
    return accepted;
  });
  await evictDurableObject(talk.stub);
  expect(model.calls).toHaveLength(0);
  await sweepAgents(env);
  await vi.waitFor(async () => {
    const turn = await talk.inside(({ inbox, turns }) => turns.get(inbox.get(seq)?.turnId ?? ""));
    expect(turn).toMatchObject({ status: "done" });
  }, 10_000);
});
