import { afterAll, beforeAll, expect, test } from "vitest";
import { Assistant } from "#test/harness/assistant.ts";
import { MemorySide, volatileOf } from "#test/harness/memory-side.ts";
import { newWord } from "#test/harness/words.ts";

/** Standing intents: armed in one conversation, they come up in another one, and end when told to. */
let home: Assistant;
let memory: MemorySide;

beforeAll(async () => {
  home = await Assistant.start({ reading: ["gauge"] });
  memory = new MemorySide(home);
});

afterAll(async () => {
  expect(home.model.server.refusals).toEqual([]);
  await home.stop();
});

/** Arms one and gives its id. */
async function arm(topic: string, action: string): Promise<string> {
  const [told = ""] = await memory.uses(home.telegram.owner(), [
    {
      name: "intent",
      arguments: { action: "create", when: `${topic} comes up`, do: action, keywords: [topic] },
    },
  ]);
  const id = /^Armed as (\S+):/.exec(told)?.[1];
  if (id === undefined) throw new Error(`not armed: ${told}`);
  return id;
}

/** How often the list says that it came up. */
async function fires(id: string): Promise<number> {
  const line = (await memory.command("/intents")).split("\n").find((each) => each.includes(id));
  return Number(/came up (\d+)×/.exec(line ?? "")?.[1]);
}

test("one comes up in another conversation, once in a turn however many steps that takes, and then rests", async () => {
  const [topic, action] = [newWord(), newWord()];
  const id = await arm(topic, action);
  const bea = home.telegram.owner();
  const [before] = await memory.asks(bea, "hello");
  expect(before?.system).not.toContain(action);
  expect(await fires(id)).toBe(0);

  const word = newWord();
  home.tools.on("gauge", () => ({ body: "seven" }));
  home.model.when(
    word,
    { toolCalls: [{ name: "gauge", arguments: {} }] },
    { toolCalls: [{ name: "gauge", arguments: { word: "again" } }] },
    { text: `heard ${word}` },
  );
  await bea.say(`what about ${topic}? ${word}`);
  await bea.hears(`heard ${word}`);
  const steps = home.model.asked(word);
  expect(steps).toHaveLength(3);
  // Each step of the turn shows the same, behind the part that is cached, and once.
  for (const call of steps) {
    expect(volatileOf(call)).toContain(`${id}: when ${topic} comes up: ${action}`);
    expect(call.system.split(action)).toHaveLength(2);
    expect(JSON.stringify(call.messages)).not.toContain(action);
  }
  expect(await fires(id)).toBe(1);

  const [next] = await memory.asks(home.telegram.owner(), `and ${topic} once more`);
  expect(next?.system).not.toContain(action);
  expect(await fires(id)).toBe(1);
});

test("one that was cancelled does not come up", async () => {
  const [topic, action] = [newWord(), newWord()];
  const id = await arm(topic, action);
  await memory.command(`/intents cancel ${id}`);
  const [call] = await memory.asks(home.telegram.owner(), `what about ${topic}?`);
  expect(call?.system).not.toContain(action);
  expect(await memory.command("/intents")).toContain(`- ${id} (cancelled, came up 0×)`);
});

test("words that were forwarded bring nothing up", async () => {
  const [topic, action] = [newWord(), newWord()];
  const id = await arm(topic, action);
  const ada = home.telegram.owner();
  const word = newWord();
  const forward_origin = { type: "user", sender_user: home.telegram.person().from, date: 1 };
  await ada.send({ text: `what about ${topic}? ${word}`, forward_origin });
  await ada.hears("ok");
  expect(home.model.asked(word)[0]?.system).not.toContain(action);
  expect(await fires(id)).toBe(0);
});

test("one that was armed outlives a kill, and comes up after it", async () => {
  const [topic, action] = [newWord(), newWord()];
  const id = await arm(topic, action);
  await home.restart();
  const [call] = await memory.asks(home.telegram.owner(), `what about ${topic}?`);
  expect(volatileOf(call!)).toContain(action);
  expect(await fires(id)).toBe(1);
});
