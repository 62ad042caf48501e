import { afterEach, expect, test, vi } from "vitest";
import { AgentDO } from "#do/agent.ts";
import { Conversation } from "./conversation.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

test("an agent that hangs delays a message by two seconds, and is told of the next one", async () => {
  const talk = new Conversation();
  const hang = () => scheduler.wait(8_000);
  const mark = vi.spyOn(AgentDO.prototype, "markBusy").mockImplementation(hang);
  const before = Date.now();
  const first = await talk.stub.accept(talk.envelope("hello"));
  const took = Date.now() - before;
  expect(took).toBeGreaterThanOrEqual(1_900);
  expect(took).toBeLessThan(4_000);
  expect(await talk.turnOf(first.seq)).toMatchObject({ status: "done" });

  mark.mockReset();
  await talk.stub.accept(talk.envelope("hello again"));
  await talk.stub.accept(talk.envelope("and again"));
  expect(mark.mock.calls.map(([entry]) => entry)).toEqual([
    expect.objectContaining({ sessionKey: talk.key, mark: 2 }),
  ]);
});
