import { expect, onTestFinished, test } from "vitest";
import { Assistant, type AssistantOptions } from "#test/harness/assistant.ts";
import { isLookUp, MemorySide } from "#test/harness/memory-side.ts";
import { newNumber, newWord } from "#test/harness/words.ts";

/** Who has the memory, and what its switches switch. */
async function start(options: AssistantOptions = {}) {
  const home = await Assistant.start(options);
  onTestFinished(() => home.stop());
  return { home, memory: new MemorySide(home) };
}

const QUESTION = "do you remember where I live?";
const memoryTools = ["memory_search", "memory_get", "memory_write"];

test("a guest and a group get nothing of it, dreamt or not; who is named gets to look", async () => {
  const [guestId, friendId] = [newNumber(10), newNumber(10)];
  const [group, team] = [-newNumber(10), -newNumber(10)];
  const { home, memory } = await start({
    config: {
      memory: { shareWith: [`telegram:${friendId}`, `telegram:group:${team}`] },
      channels: {
        telegram: {
          dmPolicy: "allowlist",
          allowFrom: [guestId, friendId],
          groups: { allow: [group, team] },
        },
      },
    },
  });
  for (const id of [group, team]) home.telegram.group({ id });
  const ada = home.telegram.owner();
  const [city, note] = [newWord(), newWord()];
  await ada.say(`remember that I live in ${city}`);
  await ada.hears("ok");
  await memory.dream();
  await memory.uses(ada, [{ name: "memory_write", arguments: { text: `the boat is ${note}` } }]);

  const guest = home.telegram.person(guestId);
  for (const call of await memory.asks(guest, QUESTION)) {
    expect(JSON.stringify(call.body)).not.toContain(city);
    expect(call.tools.filter((name) => memoryTools.includes(name))).toEqual([]);
  }
  // In a group an owner counts for no more than who reads along.
  for (const [chat, shown] of [
    [group, false],
    [team, true],
  ] as const) {
    const word = newWord();
    await ada.say(`@sample_helper_bot ${QUESTION} ${word}`, { in: chat });
    await home.telegram.shows(chat, "ok");
    const [call, ...others] = home.model.asked(word);
    expect(others).toEqual([]);
    expect(call?.system.includes(city)).toBe(shown);
    expect(call?.tools.includes("memory_write")).toBe(false);
  }
  const friend = home.telegram.person(friendId);
  const [own] = await memory.asks(friend, "hello");
  expect(own?.system).toContain(city);
  const [found] = await memory.uses(friend, [
    { name: "memory_search", arguments: { query: `boat ${note}` } },
  ]);
  expect(found).toContain(`the boat is ${note}`);
});

test("what is said where /memory off was said is neither kept nor looked up", async () => {
  const { home, memory } = await start();
  const ada = home.telegram.owner();
  const [before, during, after] = [newWord(), newWord(), newWord()];
  await memory.asks(ada, `my boat is called ${before}.`);
  await memory.finds(`boat called ${before}`, before);
  await ada.say("/memory off");
  await ada.hears("Memory is off");

  const calls = await memory.asks(ada, `my sister is called ${during}. ${QUESTION}`);
  expect(calls.filter(isLookUp)).toEqual([]);
  expect(calls[0]?.tools.filter((name) => memoryTools.includes(name))).toEqual([]);
  const told = await memory.uses(ada, [
    { name: "memory_write", arguments: { text: during } },
    { name: "memory_search", arguments: { query: before } },
  ]);
  for (const text of told) expect(text).toContain("no tool named");

  await ada.say("/memory on");
  await ada.hears("Memory is on");
  await memory.asks(ada, `my brother is called ${after}.`);
  await memory.finds(`brother called ${after}`, after);
  await memory.dream();
  for (const [path, text] of await memory.files()) expect(text, path).not.toContain(during);
  expect(await memory.command(`/memory search sister called ${during}`)).not.toContain(
    `sister is called ${during}`,
  );
});

test("memory.enabled: false keeps, finds and dreams nothing, and leaves the files", async () => {
  const { home, memory } = await start({ config: { memory: { enabled: false } } });
  const ada = home.telegram.owner();
  const [city, written] = [newWord(), newWord()];
  await memory.uses(ada, [
    { name: "write", arguments: { path: "MEMORY.md", text: `- ${written}` } },
  ]);
  const calls = await memory.asks(ada, `remember that I live in ${city}. ${QUESTION}`);
  expect(calls).toHaveLength(1);
  expect(calls[0]?.tools.filter((name) => memoryTools.includes(name))).toEqual([]);
  expect(calls[0]?.system).toContain(written);
  expect(await memory.command("/memory search anything")).toContain("switched off");
  expect(await memory.command("/dreaming")).toContain("I do not dream by myself.");
  await ada.say("/new");
  await ada.hears("New conversation");
  await memory.asks(ada, "hello");
  expect(await memory.notes()).toBe("");
});

test("memory.autoCapture: false keeps only what is asked of the model", async () => {
  const { home, memory } = await start({ config: { memory: { autoCapture: false } } });
  const ada = home.telegram.owner();
  const [city, boat] = [newWord(), newWord()];
  await memory.asks(ada, `I live in ${city}.`);
  await memory.uses(ada, [{ name: "memory_write", arguments: { text: `the boat is ${boat}` } }]);
  await memory.finds(`boat ${boat}`, boat);
  expect(await memory.notes()).toContain(boat);
  expect(await memory.notes()).not.toContain(city);
});

test("memory.recall decides whether a question, anything or nothing is searched for", async () => {
  const { home, memory } = await start();
  const ada = home.telegram.owner();
  const city = newWord();
  await memory.asks(ada, `I live in ${city}.`);
  await memory.finds(`live in ${city}`, city);
  const lookUps = async (text: string) => (await memory.asks(ada, text)).filter(isLookUp).length;
  expect([await lookUps(QUESTION), await lookUps("where to live, I wonder")]).toEqual([1, 0]);
  await home.restart({ config: { memory: { recall: "always" } } });
  expect(await lookUps("where to live, I wonder")).toBe(1);
  await home.restart({ config: { memory: { recall: "off" } } });
  expect(await lookUps(QUESTION)).toBe(0);
});
