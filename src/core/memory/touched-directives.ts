import { stopWords } from "./stop-words.ts";
import { stem, wordsOf } from "./words.ts";

/**
 * Which of the owner's standing directives (USER.md) a message touches: they are repeated beside it,
 * because a line far up in a long prompt is easily overlooked. Only active ones, at most 600
 * characters, in the order of the file.
 */
export interface Directive {
  readonly text: string;
  readonly active: boolean;
}

const ROOM = 600;

export function touchedDirectives(message: string, directives: readonly Directive[]): string[] {
  const said = new Set(telling(message));
  if (said.size === 0) return [];
  const touched = directives
    .filter(({ active, text }) => active && telling(text).some((word) => said.has(word)))
    .map(({ text }) => text);
  return fitting([...new Set(touched)], ROOM);
}

/** As many whole texts as fit, in their order. */
export function fitting(texts: readonly string[], room: number): string[] {
  let left = room;
  return texts.filter((text) => {
    const fits = text.length + 1 <= left;
    if (fits) left -= text.length + 1;
    return fits;
  });
}

function telling(text: string): string[] {
  return wordsOf(text)
    .map(stem)
    .filter((word) => !stopWords.has(word) && (word.length > 2 || !/^[a-z0-9']+$/.test(word)));
}
