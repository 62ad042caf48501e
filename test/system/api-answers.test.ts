import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { Assistant } from "#test/harness/assistant.ts";
import { streamedText } from "#test/harness/api-side.ts";
import { newWord } from "#test/harness/words.ts";

/** What a caller of the API is answered where the turn did not simply end well. */
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
