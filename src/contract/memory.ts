import type { Trust } from "./transcript.ts";
import type { LineOrigin } from "./provenance.ts";
import type { MemoryTrace } from "./upkeep.ts";

/**
 * What a conversation may ask of its agent's memory. Only conversations in which every reader is an
 * owner, or somebody `memory.shareWith` names, get this at all. Every call may fail or time out: then
 * the assistant is duller, never mute.
 */
export interface Memory {
  search(query: MemoryQuery): Promise<MemoryAnswer>;
  /** Lines of a source by its path; null = there is no such source. */
  read(place: MemoryPlace): Promise<MemoryText | null>;
  /** Takes over what is new in a conversation's transcript, each entry once. Safe to repeat. */
  ingest(batch: TranscriptBatch): Promise<void>;
  /** Adds to the note of a day what does not stand there yet, once per operation id. */
  note(request: NoteRequest): Promise<NoteReceipt>;
  status(): Promise<MemoryStatus>;
}

/** `curated`: MEMORY.md and USER.md; `note`: what lies under memory/; `session`: what was said. */
export const memoryKinds = ["curated", "note", "session"] as const;
export type MemoryKind = (typeof memoryKinds)[number];

export interface MemoryQuery {
  readonly text: string;
  /** 1 to 20; default 6. */
  readonly limit?: number;
  /** Default 0.35. */
  readonly minScore?: number;
  readonly kinds?: readonly MemoryKind[];
  /** Projects that are active: their entries count more. */
  readonly projects?: readonly string[];
  /** Only rows in which everything is the owner's or the agent's own. */
  readonly trustedOnly?: boolean;
  /** Adds each row's signals. */
  readonly explain?: boolean;
  readonly asker: MemoryAsker;
}

export interface MemoryAsker {
  readonly sessionKey: string;
  /** Who it is across channels; sessions of others are not searched. Null = cannot be told. */
  readonly identity: string | null;
  /**
   * The rows count as recalled, which is what dreaming goes by: an owner's own conversation with
   * nothing untrusted in the window, and no job. One recall per passage, query and day.
   */
  readonly counts: boolean;
}

export interface MemoryRow {
  readonly path: string;
  /** Lines, counted from 1, both included. */
  readonly from: number;
  readonly to: number;
  /** These lines as they stand there; at most 400 tokens. */
  readonly text: string;
  /** The text begins inside its first line, or it is not known that it does not. */
  readonly midLine?: true;
  /** 0 to 1. */
  readonly score: number;
  /** The lowest of what is in it. */
  readonly trust: Trust;
  /** Day of a dated source (YYYY-MM-DD). */
  readonly date: string | null;
  /** How the score came about, by name of the signal; only when asked for. */
  readonly signals?: Readonly<Record<string, number>>;
}

export interface MemoryAnswer {
  /** Best first. */
  readonly rows: readonly MemoryRow[];
  readonly mode: "hybrid" | "keyword";
  /** What the person should know: an embedder that fails, an index behind. */
  readonly notices: readonly string[];
}

export interface MemoryPlace {
  readonly path: string;
  /** First line, counted from 1; default 1. */
  readonly from?: number;
  /** Number of lines; default 50. */
  readonly lines?: number;
  /** Adds where each line is from; of at most twenty that say something. */
  readonly why?: boolean;
  /** As if there were no lines but the owner's and the agent's own, from that line on. */
  readonly trustedOnly?: boolean;
  /** The last ones of these lines, not the first. */
  readonly newest?: boolean;
  readonly asker: MemoryAsker;
}

export interface MemoryText {
  readonly path: string;
  readonly from: number;
  readonly to: number;
  /** Lines of the whole source. */
  readonly total: number;
  readonly text: string;
  readonly trust: Trust;
  readonly traces?: readonly MemoryTrace[];
}

/** New entries of one conversation, oldest first, redacted, without recalled text. */
export interface TranscriptBatch {
  readonly sessionKey: string;
  /** Who it is across channels. */
  readonly identity: string;
  readonly lines: readonly TranscriptLine[];
}

export interface TranscriptLine {
  /** `sessionId:seq`: each is taken once. */
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly origin: LineOrigin;
}

export interface MemoryStatus {
  readonly sources: number;
  readonly passages: number;
  /** Sources that have changed and are not indexed yet. */
  readonly waiting: number;
  /** More may have changed: a long comparison with the bucket is under way. */
  readonly comparing: boolean;
  /** `extension/model`, or null: keywords only. */
  readonly embedder: string | null;
  /** The latest failure that lasts, for the operator. */
  readonly problem: string | null;
}

export interface NoteRequest {
  readonly operationId: string;
  /** Milliseconds since the epoch: by it the note is that of an owner's day. */
  readonly at: number;
  readonly entries: readonly NoteEntry[];
}

export interface NoteEntry {
  readonly text: string;
  readonly author: LineOrigin;
  /** Copied from what an owner wrote. */
  readonly words?: readonly OwnerWords[];
}

export interface OwnerWords {
  readonly text: string;
  readonly origin: LineOrigin;
}

export type NoteReceipt =
  /** `added` false: all of it stands there already. */
  | { readonly ok: true; readonly path: string; readonly added: boolean }
  /** For the model. */
  | { readonly ok: false; readonly reason: string };
