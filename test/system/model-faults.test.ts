import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Assistant } from "#test/harness/assistant.ts";
import { type Chunk, streamedText } from "#test/harness/api-side.ts";
import { createLatch } from "#test/harness/latch.ts";
import { newWord } from "#test/harness/words.ts";
import type { TelegramPerson } from "#test/harness/telegram-side.ts";

/** Providers that fail, refuse, or answer strangely: what the person is told, and what stays usable. */
let home: Assistant;

beforeAll(async () => {
  home = await Assistant.start({ reading: ["gauge"], acting: ["bell"] });
});

afterAll(async () => {
  await home.stop();
});

const overloaded = { type: "overloaded_error", message: "Overloaded" };
const overloadedFrame = `event: error\ndata: ${JSON.stringify({ type: "error", error: overloaded })}\n\n`;

/** An owner whose conversation runs on the OpenAI-type server. */
async function atOther(): Promise<TelegramPerson> {
  const ada = home.telegram.owner();
  await ada.say("/model openai/test-model");
  await ada.hears("Model: openai/test-model");
  return ada;
}

/** The conversation still works: another message is answered. */
async function goesOn(ada: TelegramPerson): Promise<void> {
  const word = newWord();
  for (const side of [home.model, home.other]) side.when(word, { text: `heard ${word}` });
  await ada.say(word);
  await ada.hears(`heard ${word}`);
}

// B36
describe("an overload inside a stream that began well", () => {
  test("before any word is tried again", async () => {
    const ada = home.telegram.owner();
    const [word, pong] = [newWord(), newWord()];
    home.model.when(word, { rawSse: overloadedFrame }, { text: pong });
    await ada.say(word);
    await ada.hears(pong);
    await goesOn(ada);
    expect(home.model.asked(word)).toHaveLength(2);
    expect(home.telegram.sentTo(ada.id).filter((text) => text.includes(pong))).toEqual([pong]);
  });

  test("after some words doubles nothing in a chat", async () => {
    const ada = home.telegram.owner();
    const [word, pong] = [newWord(), newWord()];
    const half = pong.slice(0, 6);
    home.model.when(word, { text: half, chunks: 1, error: overloaded }, { text: pong });
    await ada.say(word);
    await ada.hears(pong);
    expect(home.model.asked(word)).toHaveLength(2);
    expect(home.telegram.sentTo(ada.id)).toEqual([pong]);
    const drafts = home.telegram.server.drafts.filter(({ chatId }) => chatId === ada.id);
    expect(drafts.filter(({ text }) => text.includes(half + half))).toEqual([]);
  });

  test("after some words doubles nothing for a caller who reads along", async () => {
    const [word, half, more] = [newWord(), `${newWord()} ${newWord()}`, newWord()];
    const latch = createLatch();
    const gate = (delta: number) => (delta === 2 ? latch.pass() : undefined);
    const pong = `${half} ${more}`;
    // Whether these letters are seen before the fault depends on how long it takes to come.
    const chunks = [half, ` ${more.slice(0, 4)}`];
    home.model.when(word, { chunks, error: overloaded, gate }, { text: pong });
    const seen: string[] = [];
    const received: Chunk[] = [];
    for await (const chunk of home.api.live(word, { user: newWord() })) {
      received.push(chunk);
      seen.push(streamedText(received));
      if (seen.at(-1) === half) latch.open();
    }
    expect(seen).toContain(half);
    expect(seen.at(-1)).toBe(pong);
    expect(home.model.asked(word)).toHaveLength(2);
  });

  test("gives one whole answer to a caller who does not", async () => {
    const [word, pong] = [newWord(), newWord()];
    home.model.when(word, { text: pong.slice(0, 6), error: overloaded }, { text: pong });
    const reply = await home.api.chat(word, { user: newWord() });
    expect(reply).toMatchObject({ status: 200, text: pong });
  });
});

// B42
describe("a refusal", () => {
  const whole = (message: object, finish: string) => ({
    json: {
      id: "c",
      object: "chat.completion",
      created: 1,
      model: "m",
      choices: [{ index: 0, finish_reason: finish, message: { role: "assistant", ...message } }],
    },
  });

  test("by a content filter is said, once", async () => {
    const ada = await atOther();
    const word = newWord();
    home.other.when(word, whole({ content: null }, "content_filter"));
    await ada.say(word);
    await ada.hears("declined");
    expect(home.other.asked(word)).toHaveLength(1);
    await goesOn(ada);
  });

  test("in the provider's own words is passed on", async () => {
    const ada = await atOther();
    const [word, words] = [newWord(), `I can't help with ${newWord()}.`];
    home.other.when(word, whole({ content: null, refusal: words }, "stop"));
    await ada.say(word);
    await ada.hears(words);
    expect(home.other.asked(word)).toHaveLength(1);
    await goesOn(ada);
  });

  test("that holds nothing but thinking is said, once", async () => {
    const ada = home.telegram.owner();
    const word = newWord();
    home.model.when(word, { thinking: newWord(), stopReason: "refusal" });
    await ada.say("/think low");
    await ada.say(word);
    await ada.hears("declined");
    expect(home.model.asked(word)).toHaveLength(1);
    await goesOn(ada);
  });
});

// B38
test("an answer that speaks of context overflow is just an answer", async () => {
  const ada = home.telegram.owner();
  const word = newWord();
  const text = `Context overflow: what it means - the prompt is too long: 210000 tokens > 200000 maximum is the error you saw. ${word}`;
  home.model.when(word, { text });
  await ada.say(word);
  await ada.hears(text);
  expect(home.model.asked(word)).toHaveLength(1);
});

// B39
describe("a conversation that no longer fits", () => {
  const overflow = {
    status: 400,
    error: {
      type: "invalid_request_error",
      message: "prompt is too long: 210000 tokens > 200000 maximum",
    },
  };

  test("is made shorter once, and answered", async () => {
    const ada = home.telegram.owner();
    const [old, word, answer] = [newWord(), newWord(), newWord()];
    await ada.say(`${old} ${"long ".repeat(400)}`);
    await ada.hears("ok");
    await goesOn(ada);
    home.model.when(word, overflow, { text: answer });
    await ada.say(word);
    await ada.hears(answer);
    const [first, second, ...others] = home.model.asked(word);
    expect(others).toEqual([]);
    expect(JSON.stringify(first?.messages)).toContain(old);
    expect(JSON.stringify(second?.messages)).not.toContain(old);
    const history = await home.api.history(home.directKey(ada.id), "user");
    expect(history.join()).toContain(old);
  });

  test("and cannot be made shorter is said, with the way out", async () => {
    const ada = home.telegram.owner();
    const word = newWord();
    home.model.when(word, overflow);
    await ada.say(word);
    const said = await ada.hears("no longer fits");
    expect(said.text).toContain("/new");
    expect(home.model.asked(word)).toHaveLength(1);
    await ada.say("/new");
    await ada.hears("New conversation");
    await goesOn(ada);
  });

  test("is not what a rate limit in tokens means", async () => {
    const ada = home.telegram.owner();
    const [word, answer] = [newWord(), newWord()];
    const limit = { status: 429, error: { message: "rate limit: 30000 input tokens per minute" } };
    home.model.when(word, limit, { text: answer });
    await ada.say(word);
    await ada.hears(answer);
    const [first, second] = home.model.asked(word);
    expect(second?.messages).toEqual(first?.messages);
  });
});

describe("a model that is down", () => {
  test("is tried four times, then said once with what to try; /again answers when it is back", async () => {
    const ada = home.telegram.owner();
    const [word, answer] = [newWord(), newWord()];
    const down = { status: 529 };
    home.model.when(word, down, down, down, down, { text: answer });
    await ada.say(word);
    const said = await ada.hears("overloaded");
    expect(said.text).toContain("/again");
    expect(said.text).toContain("/model");
    expect(home.model.asked(word)).toHaveLength(4);
    const entries = await home.api.history(home.directKey(ada.id), "user");
    expect(entries.filter((entry) => entry.includes(word))).toHaveLength(1);

    await ada.say("/again");
    await ada.hears(answer);
    expect(home.telegram.sentTo(ada.id)).toEqual([said.text, answer]);
    const last = home.model.asked(word).at(-1);
    expect(last?.messages.filter(({ text }) => text.includes(word))).toHaveLength(1);
  });

  test("is an error of its own for an API caller", async () => {
    const word = newWord();
    home.model.when(word, { status: 529 });
    const reply = await home.api.chat(word, { user: newWord() });
    expect(reply.status).toBe(503);
    expect(reply.text).toContain("overloaded");
  });

  test("waits as long as the provider asks, if that is bearable", async () => {
    const ada = home.telegram.owner();
    const [word, answer] = [newWord(), newWord()];
    home.model.when(word, { status: 429, retryAfter: 2 }, { text: answer });
    const before = performance.now();
    await ada.say(word);
    await ada.hears(answer);
    expect(performance.now() - before).toBeGreaterThanOrEqual(2000);
    expect(home.telegram.sentTo(ada.id)).toEqual([answer]);
  });

  test("says so at once when it would have to wait too long", async () => {
    const ada = home.telegram.owner();
    const word = newWord();
    home.model.when(word, { status: 429, retryAfter: 3600 });
    await ada.say(word);
    await ada.hears("rate limited");
    expect(home.model.asked(word)).toHaveLength(1);
  });
});
