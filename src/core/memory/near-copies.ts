/**
 * Leaves out rows that say again what a better one says. Not MMR: with notes that differ, trading
 * relevance for variety cost hits at every setting that was measured; dropping near-copies costs none.
 */
const SAME = 0.8;

/** Keeps the first of each group of near-copies. */
export function withoutCopies<Row>(
  rows: readonly Row[],
  textOf: (row: Row) => string,
  limit: number,
): Row[] {
  const kept: { readonly row: Row; readonly words: ReadonlySet<string> }[] = [];
  for (const row of rows) {
    if (kept.length === limit) break;
    const words = new Set(
      textOf(row)
        .toLowerCase()
        .match(/[\p{L}\p{N}]+/gu) ?? [],
    );
    if (!kept.some((other) => similarity(other.words, words) >= SAME)) kept.push({ row, words });
  }
  return kept.map(({ row }) => row);
}

function similarity(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const word of a) if (b.has(word)) shared += 1;
  return shared / (a.size + b.size - shared);
}
