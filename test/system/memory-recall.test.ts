import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { ModelCall } from "#test/doubles/model-script.ts";
import type { EmbeddingStep } from "#test/doubles/embedding-steps.ts";
import { Assistant, type AssistantOptions } from "#test/harness/assistant.ts";
import { breakStorage, storage } from "#test/harness/broken-storage.ts";
import { isLookUp, MemorySide, volatileOf } from "#test/harness/memory-side.ts";
import type { TelegramPerson } from "#test/harness/telegram-side.ts";
import { newWord } from "#test/harness/words.ts";

/**
 * The search before an answer, and that nothing which breaks in it takes the answer away: a memory that
 * fails makes the assistant duller, never mute.
 */
const WAIT = { timeoutMs: 45_000 };
let home: Assistant;
let memory: MemorySide;

async function open(options: AssistantOptions = {}): Promise<void> {
  home = await Assistant.start(options);
  memory = new MemorySide(home);
}

/** An owner tells something in a conversation of their own; it is in the notes when this resolves. */
async function told(): Promise<string> {
  const city = newWord();
  const ada = home.telegram.owner();
  const seen = newWord();
  home.model.when(seen, { text: `heard ${seen}` });
  await ada.say(`I live in ${city}. ${seen}`);
  await ada.hears(`heard ${seen}`);
  await memory.finds(city, `I live in ${city}`);
  return city;
}

/** Another conversation asks for it; the search before the answer says what `found` gives. */
async function ask(found: (call: ModelCall) => object): Promise<{
  readonly person: TelegramPerson;
  readonly lookUps: readonly ModelCall[];
  readonly own: ModelCall;
  readonly tookMs: number;
}> {
  const person = home.telegram.owner();
  const word = newWord();
  home.model.when(word, (call) => (isLookUp(call) ? found(call) : { text: `heard ${word}` }));
  const from = performance.now();
  await person.say(`where did I live last week? ${word}`);
  await person.hears(`heard ${word}`, WAIT);
  const tookMs = performance.now() - from;
  const calls = home.model.asked(word);
  const own = calls.filter((call) => !isLookUp(call));
  expect(own).toHaveLength(1);
  return { person, lookUps: calls.filter(isLookUp), own: own[0]!, tookMs };
}

describe("a question about what was said before", () => {
  beforeAll(() => open());
  afterAll(() => home.stop());

  test("is answered with what a small search of its own found, which stays out of the conversation", async () => {
    const city = await told();
    const fact = `Lives in ${city}. ${"x".repeat(400)}`;
    const { person, lookUps, own } = await ask(() => ({ text: fact }));
    expect(lookUps).toHaveLength(1);
    expect(lookUps[0]?.userText).toContain(`I live in ${city}`);
    expect(lookUps[0]?.tools.toSorted()).toEqual(["memory_get", "memory_search"]);

    const line = volatileOf(own)
      .split("\n")
      .find((each) => each.includes(city));
    expect(line?.replace(/^- /, "")).toMatch(new RegExp(`^Lives in ${city}. x{100,}…$`));
    expect(line?.replace(/^- /, "").length).toBeLessThanOrEqual(220);
    expect(own.system.split(city)).toHaveLength(2);
    expect(JSON.stringify(own.messages)).not.toContain(city);

    const key = home.directKey(person.id);
    expect(JSON.stringify(await home.api.exported(key))).not.toContain(city);
    await person.say("/usage");
    await person.hears("2 model calls");
  });

  test("costs no second call when nothing was found, or when it asks for nothing", async () => {
    await told();
    const person = home.telegram.owner();
    expect(await memory.asks(person, "what a fine morning")).toHaveLength(1);
    const nobody = newWord();
    const calls = await memory.asks(person, `did we ever mention ${nobody}`);
    for (const call of calls.filter(isLookUp))
      expect(call.userText).toContain("first search found");
    expect(calls.filter((call) => !isLookUp(call))).toHaveLength(1);
  });

  test("goes on with a search of its own, and with none once it has had three calls", async () => {
    const city = await told();
    const { lookUps, own } = await ask(() => ({
      toolCalls: [{ name: "memory_search", arguments: { query: city } }],
    }));
    expect(lookUps).toHaveLength(3);
    expect(lookUps[1]?.messages.at(-1)?.toolResults[0]?.text).toContain(city);
    expect(lookUps[2]?.tools).toEqual([]);
    expect(own.system).not.toContain(city);
  });

  // Side by side, since one of them waits for the longest that a search may take.
  test.concurrent.each([
    ["an error", { status: 500 }],
    ["a refusal of the key", { status: 401 }],
    ["too many requests", { status: 429, retryAfter: 60 }],
    ["a stream that is cut", { text: "Lives somewhere", cutAfter: 1 }],
    ["no words at all", { text: "" }],
    ["NONE", { text: "NONE." }],
  ])("is answered all the same when the model's part ends in %s", async (_name, step) => {
    await told();
    const { lookUps, own, tookMs } = await ask(() => step);
    expect(lookUps.length).toBeGreaterThan(0);
    expect(own.system).not.toContain("Found in your notes");
    expect(tookMs).toBeLessThan(20_000);
  });

  test.concurrent("is answered all the same when the model's part never ends", async () => {
    await told();
    const never = new Promise<void>(() => {});
    const { lookUps, own, tookMs } = await ask(() => ({ text: "Lives", gate: () => never }));
    expect(lookUps).toHaveLength(1);
    expect(own.system).not.toContain("Found in your notes");
    expect(tookMs).toBeLessThan(25_000);
  });

  test.each([
    ["the index", storage.database],
    ["the files", storage.files],
  ])("is answered all the same while %s cannot be read", async (_name, folder) => {
    await told();
    let mend = () => {};
    await home.meanwhile((directory) => {
      mend = breakStorage(directory, [folder]);
    });
    const { own, tookMs } = await ask(() => ({ text: "NONE" }));
    expect(own.system).not.toContain("Found in your notes");
    expect(tookMs).toBeLessThan(20_000);
    await home.meanwhile(() => mend());
    const city = await told();
    expect((await ask(() => ({ text: city }))).own.system).toContain(city);
  });
});

describe("an embedder of another service", () => {
  const steps: readonly (readonly [string, EmbeddingStep])[] = [
    ["fails", { status: 500 }],
    ["never answers", { hang: true }],
    ["answers nonsense", { body: "<html>" }],
  ];
  test.each(steps)(
    "that %s leaves the words to be searched, and the answer to come",
    async (_name, step) => {
      await open({ vars: { EMBEDDER: "openai" } });
      onTestFinished(() => home.stop());
      const city = await told();
      expect(home.other.server.embeddings.asked.length).toBeGreaterThan(0);
      // More than will be asked for: it stays so.
      home.other.server.embeddings.play(...Array.from({ length: 100 }, () => step));
      const { own, tookMs } = await ask(() => ({ text: `Lives in ${city}.` }));
      expect(tookMs).toBeLessThan(20_000);
      expect(own.userText).toContain("last week");
      // The next ones do not wait for it any more.
      const { own: next, tookMs: then } = await ask(() => ({ text: `Lives in ${city}.` }));
      expect(next.system).toContain(`Lives in ${city}.`);
      expect(then).toBeLessThan(15_000);
    },
  );
});

test("with memory.dailyNotesInContext the day's notes come along, framed, without what is from outside", async () => {
  await open({ config: { memory: { dailyNotesInContext: "wrapped", recall: "off" } } });
  onTestFinished(() => home.stop());
  const city = await told();
  const other = newWord();
  const bea = home.telegram.owner();
  const forward_origin = { type: "user", sender_user: home.telegram.person().from, date: 1 };
  await bea.send({ text: `the code is ${other}`, forward_origin });
  await bea.hears("ok");
  await memory.uses(bea, [{ name: "memory_write", arguments: { text: `the code is ${other}` } }]);
  await memory.finds(other, other);
  const [own] = await memory.asks(home.telegram.owner(), "hello");
  const shown = volatileOf(own!);
  expect(shown).toMatch(/# Your notes of yesterday and today\n<<<EXTERNAL_CONTENT \w{16}>>>\n/);
  expect(shown).toContain(`I live in ${city}`);
  expect(shown).not.toContain(other);
  expect(own?.messages.some(({ text }) => text.includes(city))).toBe(false);
});
