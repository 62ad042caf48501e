import { stem } from "#kit/text/stem.ts";
import { isStopWord } from "#kit/text/stop-words.ts";
import { isUnspaced, wordsOf } from "#kit/text/words.ts";

/**
 * What a text is about, as tags: its content words in lower case, names first, one per stem; in scripts
 * without spaces the words a segmenter finds. By rule, so that themes and triggers need no model.
 */
const maxTags = 8;
/** Verbs and the like that every fact has. */
const weakWords = new Set(
  (
    "called named name names like likes love loves hate hates prefer prefers want wants use uses used need needs live " +
    "lives lived living move moved moving work works working make makes made take takes think thinks thing things every " +
    "each always never today tomorrow yesterday new old good day time way lot"
  ).split(" "),
);
const segmenter = new Intl.Segmenter("zh", { granularity: "word" });

export function conceptsOf(text: string): string[] {
  return rankedConcepts(text)
    .toSorted((first, second) => first.rank - second.rank || first.place - second.place)
    .slice(0, maxTags)
    .map(({ word }) => word);
}

interface Concept {
  readonly word: string;
  /** 0 for a name. */
  readonly rank: number;
  readonly place: number;
}

function rankedConcepts(text: string): Concept[] {
  const capitals = text.normalize("NFKC").matchAll(/(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}'’-]+/gu);
  const names = new Set([...capitals].flatMap(([name]) => wordsOf(name)));
  const byStem = new Map<string, Concept>();
  for (const [place, word] of tagWords(text).entries()) {
    const bare = word.replace(/'s$/, "");
    if (byStem.has(stem(word))) continue;
    byStem.set(stem(word), { word: bare, rank: names.has(word) ? 0 : 1, place });
  }
  return [...byStem.values()];
}

/** Up to three words at which an entry should come to mind: names, then the longest. */
export function triggersOf(text: string): string[] {
  return rankedConcepts(text)
    .toSorted(
      (first, second) =>
        first.rank - second.rank ||
        second.word.length - first.word.length ||
        first.place - second.place,
    )
    .slice(0, 3)
    .map(({ word }) => word);
}

function tagWords(text: string): string[] {
  return wordsOf(text).flatMap((word) => {
    if (!isUnspaced(word)) return isTag(word) ? [word] : [];
    return [...segmenter.segment(word)]
      .map(({ segment }) => segment)
      .filter((segment) => Array.from(segment).length >= 2);
  });
}

/** Short words, bare numbers and what every fact has are about nothing; codes like "a17" are. */
function isTag(word: string): boolean {
  const bare = word.replace(/'s$/, "");
  if (bare.length < 3 || /^\d+$/.test(bare)) return false;
  return !isStopWord(word) && !weakWords.has(bare);
}
