import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { Assistant } from "#test/harness/assistant.ts";
import { streamedText, type Chunk } from "#test/harness/api-side.ts";
import { createLatch } from "#test/harness/latch.ts";
import { newWord } from "#test/harness/words.ts";

/** What a caller of the API is answered where the turn did not simply end well, or is asked for again. */
let home: Assistant;

beforeAll(async () => {
  home = await Assistant.start();
});

afterAll(async () => {
  await home.stop();
});

const finishedSchema = z.object({ choices: z.array(z.object({ finish_reason: z.string() })) });

test("an answer that is cut at the output limit comes once, and says that it is cut", async () => {
  const [word, answer] = [newWord(), `${newWord()} ${newWord()}`];
  home.model.when(word, { text: answer, stopReason: "length" });
  const whole = await home.api.chat(word);
  expect(whole.text).toMatch(new RegExp(`^${answer}\\s+.*output limit`));
  expect(whole.text.split(answer)).toHaveLength(2);
  expect(finishedSchema.parse(JSON.parse(whole.body)).choices[0]?.finish_reason).toBe("length");

  const chunks = await home.api.stream(`${word}!`);
  expect(streamedText(chunks)).toBe(whole.text);
  expect(chunks.at(-1)?.choices[0]).toMatchObject({ delta: {}, finish_reason: "length" });
});

describe("a request that is sent again", () => {
  test("under the same key is the same turn, and the late reader gets all of it", async () => {
    const [key, word, half, more] = [newWord(), newWord(), `${newWord()} ${newWord()}`, newWord()];
    const latch = createLatch();
    const gate = (delta: number) => (delta === 2 ? latch.pass() : undefined);
    home.model.when(word, { chunks: [half, ` ${more}`], gate });
    const headers = { "idempotency-key": newWord() };
    const first = home.api.stream(word, { user: key, headers });
    await latch.reached;
    const late: Chunk[] = [];
    for await (const chunk of home.api.live(word, { user: key, headers })) {
      late.push(chunk);
      if (streamedText(late) === half) latch.open();
    }
    for (const chunks of [await first, late]) {
      expect(streamedText(chunks)).toBe(`${half} ${more}`);
    }
    const third = await home.api.chat(word, { user: key, headers });
    expect(third.text).toBe(`${half} ${more}`);
    expect(home.model.asked(word)).toHaveLength(1);
  });

  test("by the client itself is the same turn", async () => {
    const [key, word, answer] = [newWord(), newWord(), newWord()];
    home.model.when(word, { text: answer });
    const first = await home.api.chat(word, { user: key });
    const again = await home.api.chat(word, {
      user: key,
      headers: { "x-stainless-retry-count": "1" },
    });
    expect([first.text, again.text]).toEqual([answer, answer]);
    expect(home.model.asked(word)).toHaveLength(1);
    await home.api.chat(word, { user: key });
    expect(home.model.asked(word)).toHaveLength(2);
  });

  test("by the client itself is not begun anew after a stop, however often", async () => {
    const [key, word, next] = [newWord(), newWord(), newWord()];
    const latch = createLatch();
    home.model.when(word, async () => {
      await latch.pass();
      return { text: "too late" };
    });
    const first = home.api.chat(word, { user: key });
    await latch.reached;
    await home.api.chat("/stop", { user: key });
    latch.open();
    const stopped = await first;
    for (const count of ["1", "2"]) {
      const headers = { "x-stainless-retry-count": count };
      expect((await home.api.chat(word, { user: key, headers })).text).toBe(stopped.text);
    }
    expect(home.model.asked(word)).toHaveLength(1);
    home.model.when(next, { text: `heard ${next}` });
    expect((await home.api.chat(next, { user: key })).text).toBe(`heard ${next}`);
  });
});
