import type { Forgetter } from "#kit/text/forget-text.ts";
import { factText } from "./fact-line.ts";
import { lineHash } from "./line-hash.ts";

/**
 * Finds the lines that somebody wants forgotten: by the hash of the whole line, or of what it says, so
 * that one hash takes a fact out of notes, lists and transcripts alike. A hash, because a text kept for
 * the sake of being forgotten would not be.
 */
export function isForgotten(line: string, hashes: ReadonlySet<string>): boolean {
  return hashes.has(lineHash(line)) || hashes.has(lineHash(factText(line)));
}

/** By its hash, or since it says one of the facts among other things: closing words, long notes. */
export function saysForgotten(
  hashes: ReadonlySet<string>,
  { finds }: Pick<Forgetter, "finds">,
): (line: string) => boolean {
  return (line) => isForgotten(line, hashes) || finds(line) || finds(factText(line));
}

/**
 * The text without those lines, and which they were. The head of captured words (`- 14:03 preference:`)
 * goes with the last of them.
 */
export function withoutForgotten(
  text: string,
  isGone: (line: string) => boolean,
): { readonly text: string; readonly removed: readonly string[] } {
  const lines = text.split("\n").map((line) => ({
    line,
    gone: line.trim() !== "" && isGone(line),
  }));
  const removed = lines.filter(({ gone }) => gone).map(({ line }) => line);
  if (removed.length === 0) return { text, removed };
  const kept = lines.filter(({ line, gone }, index) => {
    if (gone) return false;
    const next = lines[index + 1];
    const isBareHead = /^- \d{2}:\d{2} [a-z]+:$/.test(line) && next?.gone;
    return !isBareHead || isWords(lines.slice(index + 1).find((each) => !each.gone)?.line);
  });
  return { text: kept.map(({ line }) => line).join("\n"), removed };
}

function isWords(line: string | undefined): boolean {
  return line?.startsWith("  > ") ?? false;
}
