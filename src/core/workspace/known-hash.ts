import { lineHash } from "#core/memory/line-hash.ts";

/**
 * The hash of a line, computed once: a put looks at each line of a file several times, and nearly all of
 * them were there the last time. Pure as far as anyone can tell; bounded, and begun anew when full.
 */
const known = new Map<string, string>();
let characters = 0;
/** Twice the largest file. */
const MOST_CHARACTERS = 2_000_000;

export function knownHash(line: string): string {
  const found = known.get(line);
  if (found !== undefined) return found;
  const hash = lineHash(line);
  // What the map itself takes of each entry counts, too.
  characters += line.length + 100;
  if (characters > MOST_CHARACTERS) {
    known.clear();
    characters = line.length + 100;
  }
  known.set(line, hash);
  return hash;
}
