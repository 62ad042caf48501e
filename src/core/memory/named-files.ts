import type { MemoryIndex, Scope } from "#contract/memory-index.ts";
import type { Ranked } from "./rank.ts";
import { rowsOf, type FoundRow, type RowOptions } from "./rows.ts";

/** A question that names a file is about that file: its best passages, or its beginning, come first. */
const fileName = /[\p{L}\p{N}_.@%/-]+\.md\b/giu;
const MAX_NAMES = 3;
/** A name stands at the beginning; a pasted block of a hundred thousand letters would be gone through for each. */
const LOOKED_AT = 2_000;

export interface NamedOptions extends RowOptions {
  readonly text: string;
  readonly scope: Scope;
}

export async function namedRows(
  index: MemoryIndex,
  ranked: readonly Ranked[],
  options: NamedOptions,
): Promise<FoundRow[]> {
  const text = options.text.slice(0, LOOKED_AT);
  const names = [...new Set(text.match(fileName) ?? [])].slice(0, MAX_NAMES);
  if (names.length === 0) return [];
  const sources = (await index.named(names, options.scope)).slice(0, MAX_NAMES);
  const rows = await Promise.all(
    sources.map(async ({ id }) => {
      const own = ranked.filter(({ passage }) => passage.sourceId === id);
      const seeds = own.length > 0 ? own : await beginning(index, options, id);
      const found = await rowsOf(index, seeds, { ...options, limit: 1, minScore: 0, best: 1 });
      return found.map((item) => ({ ...item, row: { ...item.row, score: 1 } }));
    }),
  );
  return rows.flat();
}

async function beginning(
  index: MemoryIndex,
  { part }: NamedOptions,
  sourceId: number,
): Promise<Ranked[]> {
  const passages = await index.passages(part, [{ sourceId, first: 0, last: 0 }]);
  return passages.map((passage) => ({ passage, cosine: null, score: 1, signals: { path: 1 } }));
}
