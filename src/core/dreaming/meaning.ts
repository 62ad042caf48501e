import { stem } from "#kit/text/stem.ts";
import { isStopWord } from "#kit/text/stop-words.ts";
import { bigramsOf, isUnspaced, unspacedRuns, wordsOf } from "#kit/text/words.ts";

/**
 * What a text says, for telling whether another says the same: its words cut to a rough stem, bigrams
 * where a script has no spaces, whether it denies, its numbers and its names.
 */
const negations = new Set(
  "no not never none nor neither without cannot stopped quit hates dislikes".split(" "),
);
const cjkNegation = /[不没無无非別别]|ない|ません|안\s|않|못/u;

/** Everything a text is compared by: stems of all its words, bigrams of its unspaced runs. */
export function tokensOf(text: string): Set<string> {
  return new Set(wordsOf(text).flatMap(pieces).map(stem));
}

/** Only those that carry the meaning; whether the text denies it, `denies` tells. */
export function contentTokens(text: string): Set<string> {
  const words = wordsOf(text).filter((word) => !isStopWord(word) && !negations.has(word));
  return new Set(words.flatMap(pieces).map(stem));
}

/** "not", "never", "n't", 不 …: two texts of which one denies are never the same. */
export function denies(text: string): boolean {
  const words = wordsOf(text);
  return (
    words.some((word) => negations.has(word) || word.endsWith("n't")) || cjkNegation.test(text)
  );
}

/** Numbers, codes and dates: what must not change while a text is reworded. */
export function figuresOf(text: string): Set<string> {
  return new Set(figuresInRow(text));
}

/** The same as they follow each other: 2-2-5 is another code than 2-5-5. */
export function figuresInRow(text: string): string[] {
  return text.normalize("NFKC").match(/\d+/g) ?? [];
}

/** Names, as far as capitals tell: not at the beginning of a sentence, where every word has one. */
export function namesOf(text: string): string[] {
  const found = text
    .normalize("NFKC")
    .matchAll(/(?<=[\p{L}\p{N},;:'"’)]\s+)\p{Lu}[\p{L}\p{N}'’-]*/gu);
  return [...found].map(([name]) => name.toLowerCase().replaceAll("’", "'"));
}

function pieces(word: string): string[] {
  if (!isUnspaced(word)) return [word];
  const rest = word.replaceAll(unspacedRuns, " ").split(" ");
  const bigrams = (word.match(unspacedRuns) ?? []).flatMap(bigramsOf);
  return [...rest.filter((part) => part !== ""), ...bigrams];
}
