import { runDurableObjectAlarm } from "cloudflare:test";
import { afterEach, expect, test, vi } from "vitest";
import type { AcceptExtra } from "#contract/inbox.ts";
import { AgentDO } from "#do/agent.ts";
import { Conversation } from "./conversation.ts";

/** The clock is set back while a conversation waits: it must not wait for that much longer. */
const hour = 3_600_000;

afterEach(() => {
  vi.restoreAllMocks();
});

test("a turn that waits for its next step goes on", async () => {
  const refused = { granted: false, retryAfterMs: 5_000 } as const;
  const ask = vi.spyOn(AgentDO.prototype, "beginStep").mockResolvedValueOnce(refused);
  const talk = new Conversation();
  const { seq } = await talk.stub.accept(talk.envelope("hello"));
  await vi.waitFor(async () => {
    const turn = await talk.inside(({ turns }) => turns.running());
    expect(turn?.nextAt).toBeGreaterThan(Date.now());
  });
  vi.spyOn(Date, "now").mockReturnValue(Date.now() - hour);
  expect(await talk.turnOf(seq)).toMatchObject({ status: "done" });
  expect(ask).toHaveBeenCalledTimes(2);
});

test("work that failed is tried again", async () => {
  const talk = new Conversation();
  // A history that no parser lets through, but an earlier version may have stored.
  const history = [{ role: "user" }] as unknown as NonNullable<AcceptExtra["history"]>;
  const clock = vi.spyOn(Date, "now");
  const now = Date.now();
  clock.mockImplementation(() => now);
  await talk.stub.accept(talk.envelope("hello", { extra: { history } }));
  const failed = (count: number) =>
    vi.waitFor(async () => {
      await runDurableObjectAlarm(talk.stub);
      expect(await talk.inside(({ settings }) => settings.get("workFailures"))).toBe(count);
    });
  await failed(1);
  clock.mockImplementation(() => now - hour);
  await failed(2);
});
