import { functionWords } from "#kit/text/stop-words.ts";
import { singular } from "#kit/text/stem.ts";
import { foldedWords } from "#kit/text/words.ts";

/**
 * How well a line that was found answers what was asked, 0 to 1, whatever else there was to find. The
 * score of a row is relative to the best one, so that a question to which the memory knows no answer
 * would count its least bad row as a perfect one. It is the share of the question's telling words that
 * stand in the line, or where that is more its cosine above what the embedder gives any two texts.
 */
export function recallFit(question: string, found: FoundLine): number {
  return fitFor(question)(found);
}

export interface FoundLine {
  readonly line: string;
  readonly cosine: number | null;
  readonly floor: number;
}

/** The same for many lines: the question, which may be long, is read once. */
export function fitFor(question: string): (found: FoundLine) => number {
  const asked = new Set(foldedWords(question).map(singular).filter(isTelling));
  return ({ line, cosine, floor }) => {
    const words = new Set(foldedWords(line).map(singular));
    const met = [...asked].filter((word) => words.has(word)).length;
    const share = asked.size === 0 ? 0 : met / asked.size;
    const near = cosine === null ? 0 : (cosine - floor) / (1 - floor);
    return Math.min(1, Math.max(share, near));
  };
}

function isTelling(word: string): boolean {
  return !functionWords.has(word) && /[\p{L}\p{N}]/u.test(word);
}
