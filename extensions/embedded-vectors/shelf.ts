import type {
  ScoredVector,
  SourceVectors,
  VectorKey,
  VectorShape,
} from "#contract/vector-store.ts";
import { BestScores } from "#kit/vector/best-scores.ts";
import { clamp, dotRow, inverseLengths, isWellFormed } from "#kit/vector/packed.ts";

/**
 * The vectors of one agent in memory, and their size. `empty` → `filling` → `filled`; `full` when they
 * are too many, which lasts. While it fills, what is published or removed wins over what is read, since
 * a page may have been read before. Knows nothing of where vectors come from.
 */
type State = "empty" | "filling" | "filled" | "full";

interface Entry {
  readonly source: SourceVectors;
  readonly lengths: Float32Array;
  readonly bytes: number;
}

export class Shelf {
  readonly #shape: VectorShape;
  readonly #maxBytes: number;
  #state: State = "empty";
  #bytes = 0;
  readonly #entries = new Map<number, Entry>();
  /** Sources that something was said about while filling. */
  readonly #settled = new Set<number>();

  constructor(shape: VectorShape, maxBytes: number) {
    this.#shape = shape;
    this.#maxBytes = maxBytes;
  }

  get state(): State {
    return this.#state;
  }

  open(): void {
    this.clear();
    this.#state = "filling";
  }

  close(): void {
    this.#settled.clear();
    if (this.#state === "filling") this.#state = "filled";
  }

  clear(): void {
    this.#entries.clear();
    this.#settled.clear();
    this.#bytes = 0;
    this.#state = "empty";
  }

  load(source: SourceVectors): "kept" | "full" {
    return this.#settled.has(source.sourceId) ? "kept" : this.#put(source);
  }

  /** `full`: with this one, they are too many. */
  publish(source: SourceVectors): "kept" | "full" {
    // Nothing is held yet, or no more: the first search reads it with all others.
    if (this.#state === "empty" || this.#state === "full") return "kept";
    const held = this.#entries.get(source.sourceId);
    if (held && held.source.generation > source.generation) return "kept";
    if (this.#state === "filling") this.#settled.add(source.sourceId);
    return this.#put(source);
  }

  remove(sourceId: number): void {
    if (this.#state === "filling") this.#settled.add(sourceId);
    this.#drop(sourceId);
  }

  #put(source: SourceVectors): "kept" | "full" {
    this.#drop(source.sourceId);
    if (!isWellFormed(source, this.#shape)) return "kept";
    const { positions, data } = source;
    // Its own copy: the bytes may be a view of a much larger answer.
    const copy = { ...source, positions: [...positions], data: data.slice() };
    const bytes = data.byteLength + positions.length * 12 + 200;
    const lengths = inverseLengths(copy.data, source.dimensions);
    this.#entries.set(source.sourceId, { source: copy, lengths, bytes });
    this.#bytes += bytes;
    if (this.#bytes <= this.#maxBytes) return "kept";
    this.clear();
    this.#state = "full";
    return "full";
  }

  #drop(sourceId: number): void {
    this.#bytes -= this.#entries.get(sourceId)?.bytes ?? 0;
    this.#entries.delete(sourceId);
  }

  nearest(query: Float32Array, limit: number): ScoredVector[] {
    const best = new BestScores(limit);
    if (query.length !== this.#shape.dimensions) return [];
    for (const { source, lengths } of this.#entries.values()) {
      const { sourceId, positions, data } = source;
      for (let row = 0; row < positions.length; row += 1) {
        const score = clamp(dotRow(query, data, row * query.length) * lengths[row]!);
        if (best.wants(score)) best.add({ sourceId, position: positions[row]!, score });
      }
    }
    return best.list();
  }

  cosines(query: Float32Array, keys: readonly VectorKey[]): ScoredVector[] {
    if (query.length !== this.#shape.dimensions) return [];
    return keys.flatMap(({ sourceId, position }) => {
      const entry = this.#entries.get(sourceId);
      const row = entry ? entry.source.positions.indexOf(position) : -1;
      if (!entry || row < 0) return [];
      const dot = dotRow(query, entry.source.data, row * query.length);
      return [{ sourceId, position, score: clamp(dot * entry.lengths[row]!) }];
    });
  }
}
