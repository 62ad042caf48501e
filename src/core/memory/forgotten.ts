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

/** The text without those lines, and how many they were. */
export function withoutForgotten(
  text: string,
  hashes: ReadonlySet<string>,
): { readonly text: string; readonly removed: readonly string[] } {
  const lines = text.split("\n");
  const kept = lines.filter((line) => line.trim() === "" || !isForgotten(line, hashes));
  if (kept.length === lines.length) return { text, removed: [] };
  const removed = lines.filter((line) => line.trim() !== "" && isForgotten(line, hashes));
  return { text: kept.join("\n"), removed };
}
