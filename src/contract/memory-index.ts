import type { MemoryKind } from "./memory.ts";
import type { ClassifiedFile } from "./provenance.ts";
import type { Trust } from "./transcript.ts";
import type { PackedVectors } from "./vector-store.ts";

/**
 * The index of one agent's memory. Derived: it can be dropped and built again from the files. A source
 * is replaced as a whole in one transaction, so that a reader sees either its old or its new passages.
 *
 * Clean passages (owner, agent) and outside ones (system, untrusted) are kept apart everywhere: in
 * tables of their own, so that not even the statistics of the one know of the other.
 */
export interface MemoryIndex {
  /** All there are, or those of a stretch of paths. */
  sources(stretch?: Stretch): Promise<IndexedSource[]>;
  source(path: string): Promise<IndexedSource | null>;
  /** Replaces all that is known of a path. */
  publish(source: NewSource): Promise<IndexedSource>;
  /** The text is known already; only how its version is called has changed. */
  touch(path: string, etag: string): Promise<void>;
  /** What was there, or null. */
  remove(path: string): Promise<IndexedSource | null>;
  /**
   * Words of what was removed leave the database, too: a full-text table only marks them as gone, and keeps them
   * until it happens to be merged. After a forgetting, since it rewrites the tables of all agents: a bounded step
   * of it, after the one that gave this cursor. Null = what was removed before the first one is gone.
   */
  eraseRemovedWords(cursor: string | null): Promise<string | null>;
  /** Everything of the agent but its recalls. */
  clear(): Promise<void>;
  /** Passages in which at least one term occurs, best first, at most `limit`. */
  match(query: TermQuery): Promise<MatchedPassage[]>;
  /** Those of the passages that exist, in no particular order. */
  passages(part: Part, spans: readonly PassageSpan[]): Promise<StoredPassage[]>;
  /** Sources that may be read, by path or by its last part. */
  named(names: readonly string[], scope: Scope): Promise<IndexedSource[]>;
  vectors(part: Part): PackedVectors;
  /** Of one passage, query and day only the first stays. */
  addRecalls(recalls: readonly Recall[]): Promise<void>;
  /** Those of this day (YYYY-MM-DD) and later, the latest first, at most `limit`. */
  recallsSince(day: string, limit: number): Promise<Recall[]>;
  /** Those of these lines, which are forgotten. */
  removeRecalls(lineHashes: readonly string[]): Promise<void>;
  /** Those of earlier days (YYYY-MM-DD). */
  dropRecalls(beforeDay: string): Promise<void>;
  counts(): Promise<{ readonly sources: number; readonly passages: number }>;
}

/** Which of the two that never mix. */
export const parts = ["clean", "outside"] as const;
export type Part = (typeof parts)[number];

/** Paths behind `after` ("" = from the first one) up to `upTo`, with it; null = to the last one. */
export interface Stretch {
  readonly after: string;
  readonly upTo: string | null;
}

export interface IndexedSource {
  readonly id: number;
  readonly path: string;
  readonly kind: MemoryKind;
  /** Hash of everything the passages were made from. */
  readonly hash: string;
  readonly etag: string;
  /** Grows with each replacement of the source. */
  readonly generation: number;
  /** Of its vectors; null = it has none. */
  readonly model: string | null;
  readonly passages: number;
}

export interface NewSource {
  readonly path: string;
  readonly kind: MemoryKind;
  /** Whose conversation it is; only for kind session. */
  readonly identity: string | null;
  readonly date: string | null;
  readonly hash: string;
  readonly etag: string;
  readonly passages: readonly NewPassage[];
  readonly vectors: NewVectors | null;
}

export interface NewVectors {
  readonly model: string;
  readonly dimensions: number;
  readonly clean: PackedRows;
  readonly outside: PackedRows;
}

/** One row of `dimensions` bytes per position. */
export interface PackedRows {
  readonly positions: readonly number[];
  readonly data: Int8Array;
}

/** The unit that is scored: at most one line, mostly a sentence or two. */
export interface Passage {
  readonly part: Part;
  /** Counted from 0 within its source and part, so that neighbours are of the same part. */
  readonly position: number;
  /** Counted from 1. */
  readonly line: number;
  /** As it stands in its line, without entry notes; the pieces of a line make up the line. */
  readonly text: string;
  readonly trust: Trust;
  readonly importance: number | null;
  readonly projects: readonly string[];
  readonly superseded: boolean;
}

export interface NewPassage extends Passage {
  /** What is searched: its own words, and those around it. */
  readonly self: string;
  readonly before: string;
  readonly after: string;
  /** Of all of it but where it stands: what has the same hash is kept as it is. */
  readonly hash: string;
}

export interface StoredPassage extends Passage {
  readonly sourceId: number;
  readonly path: string;
  readonly kind: MemoryKind;
  readonly identity: string | null;
  readonly date: string | null;
}

export interface MatchedPassage extends StoredPassage {
  /** Above 0, more is better; comparable within one answer. */
  readonly score: number;
}

/** Positions of a source, both included. */
export interface PassageSpan {
  readonly sourceId: number;
  readonly first: number;
  readonly last: number;
}

/** What may be read. */
export interface Scope {
  readonly kinds: readonly MemoryKind[];
  /** Whose sessions; null = none. */
  readonly identity: string | null;
}

export interface TermQuery {
  readonly part: Part;
  readonly scope: Scope;
  /** Words, or several that must stand in a row. Whatever characters they have. */
  readonly terms: readonly string[];
  /** The terms are beginnings of words. */
  readonly beginnings?: true;
  readonly limit: number;
}

export interface Recall {
  /** Of the passage's line (core/memory/line-hash.ts). */
  readonly lineHash: string;
  readonly path: string;
  readonly queryHash: string;
  /** Owner's day, YYYY-MM-DD. */
  readonly day: string;
  readonly score: number;
  /** Among the clean rows, counted from 1. */
  readonly rank: number;
  readonly sessionKey: string;
  readonly at: number;
}

/** The truth the index is made from: files of the memory with the class of each line. */
export interface MemoryFiles {
  /** Null = there is no such source (any more). */
  read(path: string): Promise<MemoryFile | null>;
  /** Sources behind a path ("" = from the first one), without their texts; bounded. */
  list(after: string): Promise<SourcePage>;
}

/** All sources of a stretch of paths: behind the one that was asked for, up to `next`. */
export interface SourcePage {
  readonly sources: readonly ListedSource[];
  /** The path to go on after, of a source or of anything else; null = these were the last. */
  readonly next: string | null;
}

export interface MemoryFile extends ClassifiedFile {
  /** Only of a transcript: the conversation it is of, and who it is with. */
  readonly conversation?: { readonly sessionKey: string; readonly identity: string };
  /** Why it cannot be a source, e.g. binary. */
  readonly unfit?: string;
}

export interface ListedSource {
  readonly path: string;
  readonly etag: string;
}

/** Paths that have changed and are not indexed yet. Synchronous, and outlives a crash. */
export interface DirtyPaths {
  all(): readonly string[];
  add(paths: readonly string[]): void;
  remove(path: string): void;
  /** The latest comparison that was too long for one go. */
  round(): CompareRound | null;
  keepRound(round: CompareRound | null): void;
}

/** A comparison of listing and index that goes on step by step. */
export interface CompareRound {
  readonly startedAt: number;
  /** Calls of the storage so far. */
  readonly pages: number;
  /** Where to go on; null = it is over. */
  readonly after: string | null;
}
