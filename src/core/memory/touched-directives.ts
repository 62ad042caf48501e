import { isTelling } from "#kit/text/stop-words.ts";
import { singular } from "#kit/text/stem.ts";
import { foldedWords } from "#kit/text/words.ts";

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
  return foldedWords(text).map(singular).filter(isTelling);
}
