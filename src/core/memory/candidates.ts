import type {
  MatchedPassage,
  MemoryIndex,
  Part,
  Scope,
  StoredPassage,
  TermQuery,
} from "#contract/memory-index.ts";
import type { ScoredVector, VectorKey, VectorStore } from "#contract/vector-store.ts";
import { beginningsOf } from "./keywords.ts";
import { placeOf, type Candidate } from "./rank.ts";

/**
 * Which passages of one part are ranked at all: the best by keyword and the nearest by vector. What a
 * keyword found gets its exact cosine, too, so that both see the same passages.
 */
export interface Question {
  readonly terms: readonly string[];
  readonly scope: Scope;
  /** Null = by keywords only. */
  readonly vector: Float32Array | null;
}

export interface PartPorts {
  readonly index: MemoryIndex;
  readonly store: VectorStore | null;
}

export interface Found {
  readonly candidates: readonly Candidate[];
  /** The vector store failed: only keywords count. */
  readonly vectorFault: unknown;
}

const MATCHES = 400;
const NEAREST = 200;

export async function candidatesOf(
  ports: PartPorts,
  part: Part,
  { terms, scope, vector }: Question,
): Promise<Found> {
  const [matched, near] = await Promise.all([
    matches(ports.index, { part, scope, terms, limit: MATCHES }),
    nearest(ports.store, part, vector),
  ]);
  const keywords = new Map(matched.map((passage) => [placeOf(passage), passage.score]));
  const passages = new Map<string, StoredPassage>(matched.map((row) => [placeOf(row), row]));
  const cosines = new Map(near.found.map((key) => [placeOf(key), key.score]));
  const unknown = near.found.filter((key) => !passages.has(placeOf(key)));
  const unscored = matched.filter((row) => !cosines.has(placeOf(row)));
  const [more, exact] = await Promise.all([
    unknown.length === 0 ? [] : ports.index.passages(part, unknown.map(spanOf)),
    exactCosines(ports.store, part, { vector: near.fault ? null : vector, keys: unscored }),
  ]);
  for (const passage of more) if (inScope(passage, scope)) passages.set(placeOf(passage), passage);
  for (const key of exact.found) cosines.set(placeOf(key), key.score);
  const candidates = [...passages.values()].map((passage) => ({
    passage,
    keyword: keywords.get(placeOf(passage)) ?? 0,
    cosine: cosines.get(placeOf(passage)) ?? null,
  }));
  return { candidates, vectorFault: near.fault ?? exact.fault };
}

/** Where no word occurs, words that begin alike: "allergies" for "allergic". */
async function matches(index: MemoryIndex, query: TermQuery): Promise<MatchedPassage[]> {
  if (query.terms.length === 0) return [];
  const found = await index.match(query);
  const terms = found.length > 0 ? [] : beginningsOf(query.terms);
  return terms.length === 0 ? found : index.match({ ...query, terms, beginnings: true });
}

interface Scores {
  readonly found: readonly ScoredVector[];
  readonly fault?: unknown;
}

async function nearest(
  store: VectorStore | null,
  part: Part,
  vector: Float32Array | null,
): Promise<Scores> {
  if (!store || !vector) return { found: [] };
  try {
    return { found: (await store.nearest(vector, NEAREST)).map((key) => fromStore(part, key)) };
  } catch (fault) {
    return { found: [], fault };
  }
}

async function exactCosines(
  store: VectorStore | null,
  part: Part,
  { vector, keys }: { vector: Float32Array | null; keys: readonly VectorKey[] },
): Promise<Scores> {
  if (!store || !vector || keys.length === 0) return { found: [] };
  try {
    const asked = keys.map(({ sourceId, position }) => ({
      sourceId: storeId(part, sourceId),
      position,
    }));
    return { found: (await store.cosines(vector, asked)).map((key) => fromStore(part, key)) };
  } catch (fault) {
    return { found: [], fault };
  }
}

/**
 * In the vector stores an outside part has the negative id of its source: one index may hold both, and
 * they must never meet.
 */
export function storeId(part: Part, sourceId: number): number {
  return part === "clean" ? sourceId : -sourceId;
}

function fromStore(part: Part, key: ScoredVector): ScoredVector {
  return { ...key, sourceId: storeId(part, key.sourceId) };
}

function spanOf({ sourceId, position }: VectorKey) {
  return { sourceId, first: position, last: position };
}

function inScope(
  { kind, identity }: Pick<StoredPassage, "kind" | "identity">,
  scope: Scope,
): boolean {
  if (!scope.kinds.includes(kind)) return false;
  return kind !== "session" || (scope.identity !== null && identity === scope.identity);
}
