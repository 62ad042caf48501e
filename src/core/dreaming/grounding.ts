import { stem } from "#kit/text/stem.ts";
import { wordsOf } from "#kit/text/words.ts";
import { contentTokens, denies, figuresInRow, figuresOf, namesOf } from "./meaning.ts";

/**
 * Whether a reworded text says only what its sources say: most of its meaningful words are theirs, all
 * of its numbers and names are, and it denies if they do. Not a proof, but a model's free invention does
 * not get through, and neither does a fact turned into its opposite.
 */
const minOverlap = 0.7;
/** Meaningful words of an entry that must still be there after it was merged. */
const minKept = 0.6;
export const maxTextLength = 300;

/** Why the text is not grounded in the sources; null when it is. */
export function ungrounded(text: string, sources: readonly string[]): string | null {
  const theirs = new Set(sources.flatMap((source) => [...contentTokens(source)]));
  const share = overlap(contentTokens(text), theirs);
  if (share < minOverlap)
    return `only ${Math.round(share * 100)} % of its words are from its sources`;
  const figures = new Set(sources.flatMap((source) => [...figuresOf(source)]));
  if (![...figuresOf(text)].every((figure) => figures.has(figure))) {
    return "it has a number that its sources do not have";
  }
  const [only, ...more] = sources.map(figuresInRow);
  if (only && more.length === 0 && !isPartOfRow(figuresInRow(text), only)) {
    return "its numbers have another order";
  }
  const words = new Set(sources.flatMap(wordsOf).map(stem));
  const invented = namesOf(text).filter((name) => !allowedName(name, words));
  if (invented.length > 0) return "it has a name that its sources do not have";
  return denies(text) === sources.some(denies) ? null : "it denies what they say, or the reverse";
}

function allowedName(name: string, words: ReadonlySet<string>): boolean {
  return wordsOf(name).every((word) => words.has(stem(word)) || /^(?:i|owner)(?:'|$)/.test(word));
}

/** Share of `part` that is in `whole`; nothing is in nothing. */
function overlap(part: ReadonlySet<string>, whole: ReadonlySet<string>): number {
  if (part.size === 0) return 0;
  return [...part].filter((token) => whole.has(token)).length / part.size;
}

/** Does the text still say what the old one said? */
export function covers(text: string, old: string): boolean {
  return overlap(contentTokens(old), contentTokens(text)) >= minKept && keepsFigures(text, old);
}

/** Has one of the two at least half of its words in the other? */
export function sharesMost(first: string, second: string): boolean {
  const [one, two] = [contentTokens(first), contentTokens(second)];
  return Math.max(overlap(one, two), overlap(two, one)) >= 0.5;
}

/** Of what an owner asked for, more has to be kept: nothing else is left of it where it is looked for. */
const minKeptOfWish = 0.8;

/** Does the text say all of what the owner asked to be remembered: its numbers, its names, most of its words? */
export function keepsWish(text: string, wish: string): boolean {
  if (overlap(contentTokens(wish), contentTokens(text)) < minKeptOfWish) return false;
  const words = new Set(wordsOf(text).map(stem));
  const names = namesOf(wish).flatMap(wordsOf).map(stem);
  return keepsFigures(text, wish) && names.every((name) => words.has(name));
}

function keepsFigures(text: string, old: string): boolean {
  return isPartOfRow(figuresInRow(old), figuresInRow(text));
}

/** In their order, with others between them or not. */
function isPartOfRow(part: readonly string[], row: readonly string[]): boolean {
  let found = 0;
  for (const one of row) if (one === part[found]) found++;
  return found === part.length;
}

/** Why a text cannot stand as one entry in a line of its own; null when it can. */
export function malformed(text: string): string | null {
  if (text.trim() === "") return "it is empty";
  if (text.length > maxTextLength) return `it is longer than ${maxTextLength} characters`;
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) return "it has more than one line";
  if (/<!--|-->/.test(text)) return "it has a comment";
  if (/^\s*(?:#|[-*+>]\s|\d+[.)]\s|```|\|)/.test(text)) return "it begins like Markdown structure";
  return null;
}
