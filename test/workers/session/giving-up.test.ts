import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, expect, test, vi } from "vitest";
import type { AcceptExtra } from "#contract/inbox.ts";
import { accept } from "#core/session/accept.ts";
import type { SessionDO } from "#do/session.ts";
import { Conversation, workUntilDone } from "./conversation.ts";
import { HeldModel } from "./held-model.ts";

/** When a turn does not go on as it would: what it does without, and when it ends with a word. */
const minute = 60_000;
const extra = { model: "anthropic/claude-haiku-4-5" };

afterEach(() => {
  vi.restoreAllMocks();
});

test("a turn that takes longer than it may ends with a word before its next step", async () => {
  const model = new HeldModel(() => ({ toolCalls: [{ name: "session_status", arguments: {} }] }));
  model.held = true;
  const talk = new Conversation();
  const { seq } = await talk.stub.accept(talk.envelope("hello", { extra }));
  await model.asked(1);
  vi.spyOn(Date, "now").mockReturnValue(Date.now() + 31 * minute);
  model.held = false;
  const turn = await talk.turnOf(seq);
  expect(turn).toMatchObject({ status: "failed", detail: { outcome: { reason: "time_limit" } } });
  expect(turn.detail.outcome?.text).toContain("30 minutes");
  expect(model.calls).toHaveLength(1);
  // The call it had no time for is answered all the same, or no later request would be valid.
  const entries = await talk.inside(({ transcript }) => transcript.page(0, 10));
  expect(entries.at(-1)).toMatchObject({ role: "tool", results: [{ isError: true }] });
});

test("an agent that cannot be reached three times is done without", async () => {
  const talk = new Conversation();
  let asked = 0;
  const beginStep = async () => {
    asked += 1;
    throw new Error("away");
  };
  let time = Date.now() + 60 * 24 * minute;
  const turn = await talk.withParts(
    ({ agent }) => ({ agent: { ...agent, beginStep }, now: () => time }),
    async (ports) => {
      const { seq } = await accept(ports, talk.envelope("hello"));
      return workUntilDone(ports, seq, () => (time += 1_000));
    },
  );
  expect(turn).toMatchObject({ status: "done" });
  expect(asked).toBe(3);
});

test("a message that breaks the work five times is given up with a word, and the next is answered", async () => {
  const talk = new Conversation();
  // A history that no parser lets through, but an earlier version may have stored.
  const history = [{ role: "user" }] as unknown as NonNullable<AcceptExtra["history"]>;
  const clock = vi.spyOn(Date, "now");
  let now = Date.now();
  clock.mockImplementation(() => now);
  const { seq } = await talk.stub.accept(talk.envelope("hello", { extra: { history } }));
  const failures = () => talk.inside(({ settings }) => settings.get("workFailures"));
  for (let count = 1; count <= 4; count += 1) {
    await vi.waitFor(async () => {
      await runDurableObjectAlarm(talk.stub);
      expect(await failures()).toBe(count);
    });
    now += minute;
  }
  const turn = await talk.turnOf(seq);
  expect(turn).toMatchObject({ status: "failed", detail: { outcome: { reason: "internal" } } });
  expect(turn.detail.outcome?.text).toContain("/again");
  const next = await talk.stub.accept(talk.envelope("are you there?"));
  expect(await talk.turnOf(next.seq)).toMatchObject({ status: "done" });
});

test("a run that was replaced while it waited for the model stores and sends nothing", async () => {
  const model = new HeldModel((call) => ({ text: `answer ${call.index}` }));
  model.held = true;
  const talk = new Conversation();
  const { seq } = await talk.stub.accept(talk.envelope("hello", { extra }));
  await model.asked(1);
  const second = runInDurableObject(talk.stub, (instance: SessionDO) => instance.alarm());
  await model.asked(2);
  model.held = false;
  await second;
  const turn = await talk.turnOf(seq);
  const finals = await talk.inside(({ outbox }) => outbox.ofTurn(turn.id));
  expect(finals.map(({ part }) => part.text)).toEqual(["answer 2"]);
  const entries = await talk.inside(({ transcript }) => transcript.page(0, 10));
  expect(entries.map(({ role }) => role)).toEqual(["user", "assistant"]);
});
