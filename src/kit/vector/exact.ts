import type { Log } from "#contract/ports.ts";
import type {
  PackedVectors,
  ScoredVector,
  SourceVectors,
  VectorKey,
  VectorShape,
} from "#contract/vector-store.ts";
import { describeError } from "#kit/redact.ts";
import { BestScores } from "./best-scores.ts";
import { cosinesOf, isWellFormed } from "./packed.ts";

/**
 * Exact cosines read straight from the packed rows, for what a store does not hold itself. Slow for
 * many sources, right for any. What cannot be read is left out, with a line in the log.
 */
export interface ExactSearch {
  readonly shape: VectorShape;
  readonly packed: PackedVectors;
  readonly log: Log;
}

/** Sources of one query: a few pages of rows, not all at once. */
const PAGE = 50;

export async function cosinesAt(
  search: ExactSearch,
  query: Float32Array,
  keys: readonly VectorKey[],
): Promise<ScoredVector[]> {
  const wanted = new Map<number, Set<number>>();
  for (const { sourceId, position } of keys) {
    const positions = wanted.get(sourceId) ?? new Set();
    wanted.set(sourceId, positions.add(position));
  }
  const found: ScoredVector[] = [];
  await eachOf(search, query, [...wanted.keys()], (source) => {
    found.push(...cosinesOf(query, source, wanted.get(source.sourceId)));
  });
  return found;
}

/** The nearest of some sources, or of all. */
export async function nearestExactly(
  search: ExactSearch,
  query: Float32Array,
  limit: number,
  sourceIds?: readonly number[],
): Promise<ScoredVector[]> {
  const best = new BestScores(limit);
  const add = (source: SourceVectors) => {
    for (const scored of cosinesOf(query, source)) best.add(scored);
  };
  if (sourceIds) await eachOf(search, query, sourceIds, add);
  else await each(search, query, search.packed.all(search.shape.model), add);
  return best.list();
}

async function eachOf(
  search: ExactSearch,
  query: Float32Array,
  sourceIds: readonly number[],
  use: (source: SourceVectors) => void,
): Promise<void> {
  const { packed, shape } = search;
  async function* pages() {
    for (let start = 0; start < sourceIds.length; start += PAGE) {
      yield* await packed.of(shape.model, sourceIds.slice(start, start + PAGE));
    }
  }
  await each(search, query, pages(), use);
}

async function each(
  { shape, log }: ExactSearch,
  query: Float32Array,
  sources: AsyncIterable<SourceVectors>,
  use: (source: SourceVectors) => void,
): Promise<void> {
  if (query.length !== shape.dimensions) return;
  try {
    for await (const source of sources) if (isWellFormed(source, shape)) use(source);
  } catch (error) {
    log.warn("vectors.unread", { error: describeError(error) });
  }
}
