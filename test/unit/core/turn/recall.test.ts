import { expect, test } from "vitest";
import { sessionTools } from "#ext/session-tools/index.ts";
import { MemoryDouble } from "#test/doubles/memory.ts";
import { SessionWorld } from "#test/doubles/session-world.ts";

async function searchedFor(text: string): Promise<number> {
  const memory = new MemoryDouble();
  const world = new SessionWorld({
    key: "agent:main:web:direct:ada",
    now: () => 1_800_000_000_000,
    tools: sessionTools.tools,
    agent: { beginStep: async () => ({ granted: true, bootstrap: null }), memory },
  });
  await world.receive(text);
  return memory.queries.length;
}

test("a message that asks for something from before is looked up", async () => {
  expect(await searchedFor("do you remember which hotel we took?")).toBe(1);
});

test("a message that asks for something to be kept is not: it tells, and asks nothing", async () => {
  expect(await searchedFor("Please remember that my insurance number is 77-1234")).toBe(0);
});
