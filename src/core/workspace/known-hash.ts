import { lineHash } from "#core/memory/line-hash.ts";

/**
 * The hash of a line, computed once: a put looks at each line of a file several times, and nearly all of
 * them were there the last time. Pure as far as anyone can tell; bounded, and begun anew when full.
 */
const known = new Map<string, string>();
const MOST = 20_000;
/** Longer lines are rare and would make the bound on their number worthless. */
const LONGEST = 400;

export function knownHash(line: string): string {
  const found = known.get(line);
  if (found !== undefined) return found;
  const hash = lineHash(line);
  if (line.length > LONGEST) return hash;
  if (known.size >= MOST) known.clear();
  known.set(line, hash);
  return hash;
}
