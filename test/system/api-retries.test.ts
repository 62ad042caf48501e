import { afterAll, beforeAll, expect, test } from "vitest";
import { Assistant } from "#test/harness/assistant.ts";
import { newWord } from "#test/harness/words.ts";

/** API callers who ask again: what belongs to a try before, and what is a new one. */
let home: Assistant;

beforeAll(async () => {
  home = await Assistant.start();
});

afterAll(async () => {
  await home.stop();
});

test.each([
  ["under the same key", () => ({ "idempotency-key": newWord() })],
  ["as the official client does", () => ({ "x-stainless-retry-count": "1" })],
])("a failed request that is sent again %s is tried again", async (_how, headersOf) => {
  const [user, word, answer] = [newWord(), newWord(), newWord()];
  const headers: Record<string, string> = headersOf();
  home.model.when(word, { status: 401 }, { text: answer });
  const options = { user, headers };
  expect((await home.api.chat(word, options)).status).toBe(502);
  expect(await home.api.chat(word, options)).toMatchObject({ status: 200, text: answer });
  expect(home.model.asked(word)).toHaveLength(2);

  expect(await home.api.chat(word, options)).toMatchObject({ status: 200, text: answer });
  expect(home.model.asked(word)).toHaveLength(2);
});
