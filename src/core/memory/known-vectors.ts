import type { Embedder } from "#contract/embedder.ts";
import type { IndexedSource, MemoryIndex, Part } from "#contract/memory-index.ts";
import { isWellFormed, rowAt } from "#kit/vector/packed.ts";
import { storeId } from "./candidates.ts";
import { spoken } from "./split-line.ts";

/**
 * What need not be embedded again: the rows that lie in the index already, by the text they were made
 * from. One more line in a long note costs one text, and what is forgotten leaves no vector behind in a
 * cache of its own. Each part knows only its own texts.
 */
export type KnownVectors = Readonly<Record<Part, ReadonlyMap<string, Int8Array>>>;

export const noVectorsKnown: KnownVectors = { clean: new Map(), outside: new Map() };

export async function knownVectors(
  index: MemoryIndex,
  source: IndexedSource | null,
  embedder: Embedder,
): Promise<KnownVectors> {
  // Where a vector means its neighbours, too, the same text may have another one.
  const alone = embedder.fusion.previous === 0 && embedder.fusion.next === 0;
  if (!source || source.model !== embedder.model || !alone) return noVectorsKnown;
  const [clean, outside] = await Promise.all([
    knownPart(index, source, { part: "clean", embedder }),
    knownPart(index, source, { part: "outside", embedder }),
  ]);
  return { clean, outside };
}

async function knownPart(
  index: MemoryIndex,
  { id, generation, passages: count }: IndexedSource,
  { part, embedder }: { readonly part: Part; readonly embedder: Embedder },
): Promise<ReadonlyMap<string, Int8Array>> {
  const [passages, [packed]] = await Promise.all([
    index.passages(part, [{ sourceId: id, first: 0, last: count }]),
    index.vectors(part).of(embedder.model, [storeId(part, id)]),
  ]);
  if (packed?.generation !== generation || !isWellFormed(packed, embedder)) return new Map();
  const texts = new Map(passages.map(({ position, text }) => [position, spoken(text)]));
  return new Map(
    packed.positions.flatMap((position, row) => {
      const text = texts.get(position);
      return text === undefined ? [] : [[text, rowAt(packed, row)]];
    }),
  );
}
