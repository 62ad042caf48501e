import { env } from "cloudflare:workers";
import { afterEach, expect, test, vi } from "vitest";
import { Conversation } from "./conversation.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

test("a turn that waits for a lane goes on as soon as one is free", async () => {
  const agentId = `a-${crypto.randomUUID()}`;
  const agent = env.AGENT.getByName(agentId);
  const others = Array.from({ length: 8 }, (_, index) => ({
    sessionKey: `agent:${agentId}:api:direct:other-${index}`,
    turnId: crypto.randomUUID(),
  }));
  for (const other of others) await agent.beginStep({ ...other, lane: "main" });

  const talk = new Conversation(`agent:${agentId}:api:direct:${crypto.randomUUID()}`);
  const { seq } = await talk.stub.accept(talk.envelope("hello"));
  const stateOf = () =>
    talk.inside(({ inbox, turns }) => turns.get(inbox.get(seq)?.turnId ?? "")?.status);
  await vi.waitFor(async () => {
    const turn = await talk.inside(({ turns }) => turns.running());
    expect(turn?.nextAt).toBeGreaterThan(Date.now());
  });
  const from = Date.now();
  await agent.endTurn({ ...others[0]!, usage: [] });
  await vi.waitFor(async () => expect(await stateOf()).toBe("done"), 10_000);
  // Left alone, it would have asked again after five seconds.
  expect(Date.now() - from).toBeLessThan(4_000);
});
