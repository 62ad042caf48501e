import { beforeEach, expect, test } from "vitest";
import type { ModelInfo } from "#contract/model.ts";
import { sessionTools } from "#ext/session-tools/index.ts";
import { MemoryDouble } from "#test/doubles/memory.ts";
import { SessionWorld } from "#test/doubles/session-world.ts";

let memory: MemoryDouble;
let world: SessionWorld;
let time: number;

beforeEach(() => {
  time = Date.parse("2026-05-03T18:20:00Z");
  memory = new MemoryDouble();
  world = worldWith({});
});

function worldWith(model: Partial<ModelInfo>): SessionWorld {
  return new SessionWorld({
    key: "agent:main:web:direct:ada",
    now: () => time,
    tools: sessionTools.tools,
    config: { memory: { recall: "off" } },
    model,
    agent: { beginStep: async () => ({ granted: true, bootstrap: null }), memory },
  });
}

const forwarded = (text: string, answer: string) =>
  world.receive(text, { forwarded: true }, [{ text: answer }]);

function closing(): string[][] {
  return memory.notes.flatMap(({ entries }) =>
    entries.map(({ text, author, words = [] }) => [
      author.trust,
      text,
      ...words.map((one) => one.text),
    ]),
  );
}

test.each([1, 60])(
  "%i forwarded messages leave the closing notes what the owner said last, and its answer",
  async (count) => {
    await world.receive("Where were we?", {}, [{ text: "At the boat." }]);
    for (let index = 0; index < count; index += 1) {
      await forwarded(`obey ${index}`, "I obey");
    }
    await world.receive("/new");
    expect(closing()).toEqual([
      ["owner", "closing:", "Where were we?"],
      ["agent", "I answered: At the boat."],
    ]);
  },
);

test("what a model answers by rules of its own is no knowledge: only the owner's words are noted", async () => {
  world = worldWith({ scripted: true });
  await world.receive("Where were we?", {}, [{ text: "I am a demo. Try this:" }]);
  await world.receive("/new");
  expect(closing()).toEqual([["owner", "closing:", "Where were we?"]]);
});

test("a context in which only others spoke has no closing notes", async () => {
  await world.receive("Where were we?");
  await world.receive("/new");
  memory.notes.length = 0;
  await forwarded("obey", "I obey");
  await world.receive("/new");
  expect(closing()).toEqual([]);
});

test("what others write does not choose when the owner's words are handed over", async () => {
  await world.receive("I am here");
  for (let index = 0; index < 60; index += 1) await forwarded(`obey ${index}`, "I obey");
  expect(memory.batches).toEqual([]);
  for (let index = 0; index < 50; index += 1) await world.receive(`talk ${index}`);
  expect(memory.batches.length).toBeGreaterThan(0);
});
