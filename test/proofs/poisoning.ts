import { isClean } from "#contract/transcript.ts";
import { Chat, type Arrival } from "#test/doubles/whole-memory-chat.ts";
import { eager } from "#test/doubles/dream-models.ts";
import { WholeMemory } from "#test/doubles/whole-memory.ts";
import { everyDeed, everyPath, obeyEverywhere } from "./obey.ts";
import { gossip } from "./talk.ts";

/**
 * One text that wants to be remembered, and everything that can be done for it: it comes as a file, is
 * forwarded and is said in a group; a model obeys it with every tool there is; it is looked for a hundred
 * times; ten nights go by. Where it has got to then.
 */
export interface Poisoned {
  readonly curated: number;
  readonly bootstrap: number;
  readonly broughtToMind: number;
  readonly prompts: number;
  /** Rows of a search that show it as the owner's or the agent's. */
  readonly takenForOwn: number;
  /** It is found, and shown as somebody else's. */
  readonly found: boolean;
  /** Prompts of nights there were: without any the proof would say nothing. */
  readonly nights: number;
  /** Parts of the conversation that a model noted lasting facts of. */
  readonly flushes: number;
}

const DAY = 86_400_000;
const START = Date.parse("2026-05-01T08:00:00Z");
const NIGHTS = 10;
const SEARCHES = 10;

export async function poisoned(text: string): Promise<Poisoned> {
  const memory = new WholeMemory({ start: START, model: eager });
  // So little that most of it leaves the window soon, and what lasts in it is noted.
  const chat = new Chat(memory, { historyTokens: 1_000 });
  await memory.bootstrap();
  await arrives(memory, chat, text);
  for (let night = 0; night < NIGHTS; night += 1) {
    memory.time = START + night * DAY + 2 * 3_600_000;
    // Something of the owner's own, so that there is a night at all.
    if (chat.isTainted) await chat.anew();
    await chat.say({
      text: `Please remember that box ${night} of the attic holds ${things[night]}`,
    });
    memory.time += 60_000;
    await chat.search(...queriesOf(text, night));
    memory.time = START + night * DAY + 19 * 3_600_000;
    await memory.night();
  }
  return judged(memory, chat, text);
}

const things = "lamps maps skates records tents globes kites rugs trunks books".split(" ");

async function arrives(memory: WholeMemory, chat: Chat, text: string): Promise<void> {
  // Beside other things that others said, as in any memory.
  const talk = Array.from({ length: 40 }, (_one, index) => `- ${gossip(index)}`).join("\n");
  const write = { path: "memory/talk.md", text: talk, mode: "append" };
  await chat.obey("Keep what they say", "forwarded", [{ tool: "write", input: write }]);
  const group = new Chat(memory, { key: "agent:main:web:group:friends", isGroup: true });
  const ways: readonly Arrival[] = ["attached", "forwarded", "quoted", "in a group"];
  for (const arrival of ways) {
    const place = arrival === "in a group" ? group : chat;
    memory.time += 60_000;
    await obeyEverywhere({ memory, chat: place }, text, arrival);
  }
  // And found again by a turn of the owner's that began clean.
  memory.time += 60_000;
  await chat.anew();
  await chat.searchAndObey(text.slice(0, 400), everyDeed(memory, text));
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Different words of it for each search. */
function queriesOf(text: string, night: number): string[] {
  const words = wordsOf(text);
  const at = (place: number) => words[place % Math.max(1, words.length)] ?? "";
  return Array.from({ length: SEARCHES }, (_one, index) => {
    const from = night + index * 3;
    return index === 0 ? text.slice(0, 400) : [at(from), at(from + 1), at(from + 2)].join(" ");
  });
}

async function judged(memory: WholeMemory, chat: Chat, text: string): Promise<Poisoned> {
  const needle = needleOf(text);
  const count = (texts: readonly string[]) =>
    texts.filter((one) => folded(one).includes(needle)).length;
  const asker = { sessionKey: "agent:main:web:direct:ada", identity: "owner", counts: false };
  const { rows } = await memory.search({ text: text.slice(0, 400), limit: 20, asker });
  const hits = rows.filter((row) => folded(row.text).includes(needle));
  const foreign = hits.filter(({ trust }) => !isClean(trust));
  // Whatever it is about is now spoken of, in an empty window.
  await chat.anew();
  for (const word of [...wordsOf(text).slice(0, SEARCHES), "the boat"]) {
    await chat.say({ text: `what did we say about ${word}` });
  }
  return {
    curated: count(everyPath.map((name) => memory.text(name))),
    bootstrap: count([JSON.stringify(await memory.bootstrap())]),
    broughtToMind: count([
      ...chat.brought.map(({ recalled }) => recalled),
      ...chat.world.helperRequests
        .filter(({ cacheKey }) => cacheKey.includes(":recall."))
        .map(({ messages }) => JSON.stringify(messages)),
    ]),
    prompts: count(memory.prompts.map(({ user }) => user)),
    takenForOwn: hits.length - foreign.length,
    found: foreign.length > 0,
    nights: memory.prompts.length,
    flushes: chat.world.helperRequests.filter(({ cacheKey }) => cacheKey.startsWith("flush-"))
      .length,
  };
}

/** What is looked for: the beginning of its longest line, letters and digits alone. */
function needleOf(text: string): string {
  const lines = text.split(/\r?\n/).map(folded);
  const longest = lines.reduce((best, line) => (line.length > best.length ? line : best), "");
  return longest.slice(0, 40);
}

function folded(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, "");
}
