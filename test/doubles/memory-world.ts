import type { Embedder } from "#contract/embedder.ts";
import type { Part } from "#contract/memory-index.ts";
import { err, ok } from "#contract/result.ts";
import type { SourceVectors, VectorKey, VectorStore } from "#contract/vector-store.ts";
import { createKeeper } from "#core/memory/keeper.ts";
import type { VectorSide } from "#core/memory/search.ts";
import { createMemoryService } from "#core/memory/service.ts";
import { DirtyPathsDouble } from "./dirty-paths.ts";
import { MemoryFilesDouble, MemoryIndexDouble } from "./memory-index.ts";

/** Vectors by the words of a text: alike texts have alike vectors. Fails while `down` says why. */
export class EmbedderDouble implements Embedder {
  readonly batchSize = 8;
  readonly fusion = { weight: 0.8, floor: 0, previous: 0.5, next: 0.25 };
  readonly calls: string[][] = [];
  down: string | null = null;
  readonly model: string;
  readonly dimensions: number;

  constructor(model: string, dimensions: number) {
    this.model = model;
    this.dimensions = dimensions;
  }

  async embed(texts: readonly string[]) {
    this.calls.push([...texts]);
    return this.down === null ? ok(texts.map((text) => this.#vector(text))) : err(this.down);
  }

  #vector(text: string): Float32Array | null {
    const vector = new Float32Array(this.dimensions);
    for (const word of text.toLowerCase().match(/[a-z0-9]+/g) ?? []) {
      let hash = 7;
      for (const character of word) hash = (hash * 31 + character.charCodeAt(0)) % 65_537;
      vector[hash % this.dimensions] = (vector[hash % this.dimensions] ?? 0) + 1;
    }
    const length = Math.hypot(...vector);
    return length === 0 ? null : vector.map((value) => value / length);
  }
}

/** Exact search over what was published to it; refuses vectors of a size that is not its own. */
export class VectorStoreDouble implements VectorStore {
  readonly sources = new Map<number, SourceVectors>();
  readonly #dimensions: number;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
  }

  async nearest(query: Float32Array, limit: number) {
    return this.#scored(query)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);
  }

  async cosines(query: Float32Array, keys: readonly VectorKey[]) {
    const asked = new Set(keys.map(({ sourceId, position }) => `${sourceId}:${position}`));
    return this.#scored(query).filter(({ sourceId, position }) =>
      asked.has(`${sourceId}:${position}`),
    );
  }

  async publish(source: SourceVectors): Promise<void> {
    if (source.dimensions !== this.#dimensions) throw new Error("vectors of another size");
    this.sources.set(source.sourceId, source);
  }

  async remove(sourceId: number): Promise<void> {
    this.sources.delete(sourceId);
  }

  #scored(query: Float32Array) {
    if (query.length !== this.#dimensions) throw new Error("a vector of another size");
    return [...this.sources.values()].flatMap(({ sourceId, positions, data, dimensions }) =>
      positions.map((position, row) => {
        const own = data.subarray(row * dimensions, (row + 1) * dimensions);
        const score = own.reduce((sum, value, at) => sum + (value / 127) * (query[at] ?? 0), 0);
        return { sourceId, position, score };
      }),
    );
  }
}

export const asker = { sessionKey: "agent:main:main", identity: null, counts: true };

/** The memory of one agent over doubles, with a clock that stands until it is moved. */
export class MemoryWorld {
  readonly index = new MemoryIndexDouble();
  readonly files = new MemoryFilesDouble();
  readonly dirty = new DirtyPathsDouble();
  readonly scheduled: number[] = [];
  time = Date.parse("2026-05-04T12:00:00Z");
  #background: Promise<void>[] = [];

  /** What runs: gone after a crash, while files, index and marks stay. */
  start(embedder: EmbedderDouble | null = null, explicitEmbedder = false) {
    const { index, files, dirty } = this;
    const vectors = embedder && vectorSide(embedder);
    const report = { info() {}, warn() {}, error() {} };
    const now = () => this.time;
    const schedule = (at: number) => void this.scheduled.push(at);
    const keeper = createKeeper({ index, files, vectors, dirty, now, report, schedule });
    const service = createMemoryService({
      index,
      files,
      vectors,
      keeper,
      now,
      report,
      explicitEmbedder,
      today: () => new Date(this.time).toISOString().slice(0, 10),
      background: (work) => void this.#background.push(work),
      within: (work) => work.then(() => true),
    });
    const search = (text: string, more: object = {}) => service.search({ text, asker, ...more });
    return { keeper, service, vectors, search };
  }

  async settled(): Promise<void> {
    await Promise.all(this.#background.splice(0));
  }
}

export function vectorSide(embedder: EmbedderDouble): VectorSide & {
  readonly stores: Readonly<Record<Part, VectorStoreDouble>>;
} {
  const { dimensions } = embedder;
  return {
    embedder,
    stores: {
      clean: new VectorStoreDouble(dimensions),
      outside: new VectorStoreDouble(dimensions),
    },
    withDeadline: (_ms, work) => work(new AbortController().signal),
  };
}
