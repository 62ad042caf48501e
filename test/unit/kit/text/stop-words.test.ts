import { expect, test } from "vitest";
import { functionWords, isStopWord, isTelling } from "#kit/text/stop-words.ts";

test.each(["not", "before", "although"])("%j changes what a note says", (word) => {
  expect(functionWords.has(word)).toBe(true);
  expect(isStopWord(word)).toBe(false);
});

test.each(["the", "which", "i'm"])("%j means nothing in a question and in a note", (word) => {
  expect([functionWords.has(word), isStopWord(word)]).toEqual([true, true]);
});

test.each(["please", "remember", "owner"])("%j means nothing in a note", (word) => {
  expect([functionWords.has(word), isStopWord(word)]).toEqual([false, true]);
});

test.each([
  ["boat", true],
  ["茶", true],
  ["the", false],
  ["dont", false],
  ["ok", false],
  ["a1", false],
])("whether %j tells what a text is about: %s", (word, telling) => {
  expect(isTelling(word)).toBe(telling);
});
