import type { ExtensionPorts } from "./ports.ts";

/**
 * Finds passages by vector. The vectors themselves lie packed in D1, published with their source; a
 * store makes them searchable and may lag behind (a follower), but never answers with a passage of an
 * older generation.
 */
export interface VectorStore {
  /** The nearest passages of present generations, best first, at most `limit`. */
  nearest(query: Float32Array, limit: number): Promise<ScoredVector[]>;
  /** Exact cosines of these passages; those without a vector are left out. */
  cosines(query: Float32Array, keys: readonly VectorKey[]): Promise<ScoredVector[]>;
  /** Takes over a source that has just been published (its rows in D1 are there already). */
  publish(source: SourceVectors): Promise<void>;
  /** The source is gone, with all its vectors. */
  remove(sourceId: number): Promise<void>;
}

/** A passage by its source and its position there, counted from 0. */
export interface VectorKey {
  /** An integer, unlike that of any other source of any namespace. */
  readonly sourceId: number;
  readonly position: number;
}

export interface ScoredVector extends VectorKey {
  /** Cosine, -1 to 1. */
  readonly score: number;
}

/** All vectors of one source: `data` holds one row of `dimensions` bytes per passage that has a vector. */
export interface SourceVectors {
  readonly sourceId: number;
  readonly generation: number;
  readonly model: string;
  readonly dimensions: number;
  /** Position of the passage each row belongs to, ascending. */
  readonly positions: readonly number[];
  /** Unit vectors times 127, rounded. */
  readonly data: Int8Array;
}

/** The packed vectors of one agent, where they are the truth. */
export interface PackedVectors {
  /** Which sources have vectors, and in which generation: cheap, without the vectors themselves. */
  heads(model: string): Promise<readonly SourceHead[]>;
  /** Every source, in pages, so that never all rows are in flight at once. */
  all(model: string): AsyncIterable<SourceVectors>;
  of(model: string, sourceIds: readonly number[]): Promise<SourceVectors[]>;
}

export interface SourceHead {
  readonly sourceId: number;
  readonly generation: number;
}

/** What a store must remember of a source beyond its own life; lost = done again, never wrong. */
export interface VectorNotes {
  all(): ReadonlyMap<number, string>;
  set(sourceId: number, note: string): void;
  remove(sourceId: number): void;
}

export interface VectorStorePorts extends ExtensionPorts {
  /** Whose vectors these are: an agent, and a part of its memory. Nothing of another is ever found. */
  readonly namespace: string;
  readonly packed: PackedVectors;
  readonly notes: VectorNotes;
}

export interface VectorStoreExtension {
  readonly kind: "vector-store";
  readonly id: string;
  /** Why it cannot be used here, e.g. for want of a binding: a note for the operator. Undefined = it can. */
  unfit?(embedder: VectorShape, ports: ExtensionPorts): string | undefined;
  create(embedder: VectorShape, ports: VectorStorePorts): VectorStore;
}

/** What vectors of one embedder have in common. */
export interface VectorShape {
  readonly model: string;
  readonly dimensions: number;
}
