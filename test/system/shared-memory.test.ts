import { afterAll, beforeAll, expect, test } from "vitest";
import { Assistant } from "#test/harness/assistant.ts";
import type { TelegramPerson } from "#test/harness/telegram-side.ts";
import { newNumber, newWord } from "#test/harness/words.ts";

/** One agent has one person's memory: a second person sees it only where `memory.shareWith` names them. */
const [friendId, guestId] = [newNumber(10), newNumber(10)];
const memoryTools = ["memory_search", "memory_get"];
let home: Assistant;

beforeAll(async () => {
  home = await Assistant.start({
    config: {
      channels: { telegram: { dmPolicy: "allowlist", allowFrom: [friendId, guestId] } },
      memory: { shareWith: [`telegram:${friendId}`] },
    },
  });
});

afterAll(async () => {
  await home.stop();
});

/** The request a message of this person makes. */
async function requestOf(person: TelegramPerson) {
  const word = newWord();
  home.model.when(word, { text: `heard ${word}` });
  await person.say(word);
  await person.hears(`heard ${word}`);
  return home.model.asked(word)[0]!;
}

/** What a tool answers in a turn of this person. */
async function use(person: TelegramPerson, name: string, input: object): Promise<string> {
  const word = newWord();
  const call = { name, arguments: input as Record<string, string> };
  home.model.when(word, { toolCalls: [call] }, { text: `done ${word}` });
  await person.say(word);
  await person.hears(`done ${word}`);
  return home.model.asked(word).at(-1)?.messages.at(-1)?.toolResults[0]?.text ?? "";
}

test("who is named may look and not write; who is not sees nothing, whatever their model asks for", async () => {
  const ada = home.telegram.owner();
  const [friend, guest] = [home.telegram.person(friendId), home.telegram.person(guestId)];
  const [curated, noted] = [newWord(), newWord()];
  await use(ada, "write", { path: "MEMORY.md", text: `- ${curated}` });
  expect(await use(ada, "memory_write", { text: `the boat is ${noted}` })).toContain("Noted in");

  const shared = await requestOf(friend);
  expect(shared.system).toContain(curated);
  expect(shared.tools.toSorted()).toEqual([...memoryTools, "stay_silent"].toSorted());
  expect(await use(friend, "memory_search", { query: noted })).toContain(noted);
  expect(await use(friend, "memory_write", { text: "mine" })).toContain("no tool named");

  const closed = await requestOf(guest);
  expect(JSON.stringify(closed.body)).not.toContain(curated);
  expect(closed.tools).toEqual(["stay_silent"]);
  for (const name of [...memoryTools, "memory_write", "sessions_history"]) {
    const told = await use(guest, name, {
      query: noted,
      path: "MEMORY.md",
      text: "x",
      session: "k",
    });
    expect(told).toContain(`no tool named "${name}"`);
    expect(told).not.toContain(noted);
  }
});
