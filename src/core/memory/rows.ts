import type { MemoryIndex, Part, StoredPassage } from "#contract/memory-index.ts";
import type { MemoryRow } from "#contract/memory.ts";
import { withoutCopies } from "./near-copies.ts";
import { placeOf, type Ranked } from "./rank.ts";
import { windowsOf, windowText, windowTrust, type Window } from "./window.ts";

/** From ranked passages to what is answered: windows without copies, clean and outside ones mixed last. */
const SEEDS_PER_ROW = 3;
/** Passages looked at before and after a seed. */
const REACH = 20;

export interface FoundRow {
  readonly row: MemoryRow;
  readonly part: Part;
  /** The passage it was found by. */
  readonly seed: StoredPassage;
  /** Of that passage and the question; null = not known. */
  readonly cosine: number | null;
}

export interface RowOptions {
  readonly part: Part;
  readonly limit: number;
  /** Score that counts 1. */
  readonly best: number;
  readonly minScore: number;
  readonly explain: boolean;
}

export async function rowsOf(
  index: MemoryIndex,
  ranked: readonly Ranked[],
  options: RowOptions,
): Promise<FoundRow[]> {
  const { part, limit, best, minScore } = options;
  const good = ranked.filter(({ score }) => best > 0 && score / best >= minScore && score > 0);
  if (good.length === 0) return [];
  const seeds = good.slice(0, limit * SEEDS_PER_ROW).map(({ passage }) => passage);
  const around = await index.passages(part, mergedSpans(seeds));
  const windows = windowsOf(good, {
    limit: limit * 2,
    around: new Map(around.map((passage) => [placeOf(passage), passage])),
    scores: new Map(ranked.map(({ passage, score }) => [placeOf(passage), score])),
  });
  return withoutCopies(windows, windowText, limit).map((window) => foundRow(window, options));
}

function foundRow(window: Window, { part, best, explain }: RowOptions): FoundRow {
  const { seed, passages } = window;
  const { path, date } = seed.passage;
  const row: MemoryRow = {
    path,
    from: passages[0]?.line ?? seed.passage.line,
    to: passages.at(-1)?.line ?? seed.passage.line,
    text: windowText(window),
    ...(window.midLine ? { midLine: true } : {}),
    score: Math.round(Math.min(1, seed.score / best) * 1000) / 1000,
    trust: windowTrust(window),
    date,
    ...(explain ? { signals: seed.signals } : {}),
  };
  return { row, part, seed: seed.passage, cosine: seed.cosine };
}

/**
 * Best first. While there are enough clean rows at most half are outside ones, however well these score:
 * who can plant text can plant much of it. Nor do clean rows that share a word such as "please" with the
 * question, each nearly as good as the best of them, crowd out what it is about: outside rows of which it
 * tells more than of any clean one have a place.
 */
export function mixed(
  clean: readonly FoundRow[],
  outside: readonly FoundRow[],
  { limit, fit }: { readonly limit: number; readonly fit: (row: FoundRow) => number },
): FoundRow[] {
  const room = Math.max(Math.floor(limit / 2), limit - clean.length);
  const others = outside.slice(0, room);
  if (clean.length + others.length <= limit) return [...clean, ...others].toSorted(byScore);
  const bestClean = Math.max(...clean.map(fit));
  const placed = others.filter((row) => fit(row) > bestClean);
  const rest = [...clean, ...others.filter((row) => !placed.includes(row))].toSorted(byScore);
  return [...placed, ...rest.slice(0, limit - placed.length)].toSorted(byScore);
}

function byScore(a: FoundRow, b: FoundRow): number {
  return b.row.score - a.row.score;
}

/** One span for seeds whose surroundings overlap. */
function mergedSpans(seeds: readonly StoredPassage[]) {
  const sorted = seeds.toSorted((a, b) => a.sourceId - b.sourceId || a.position - b.position);
  const spans: { sourceId: number; first: number; last: number }[] = [];
  for (const { sourceId, position } of sorted) {
    const open = spans.at(-1);
    const [first, last] = [Math.max(0, position - REACH), position + REACH];
    if (open?.sourceId === sourceId && first <= open.last + 1) open.last = last;
    else spans.push({ sourceId, first, last });
  }
  return spans;
}
