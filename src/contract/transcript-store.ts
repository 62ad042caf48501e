/**
 * Where what was said is kept for the memory: one text for each conversation and day, or more where a
 * day is long. Only the agent's own object writes it. What stands in a text: core/memory/transcript-text.ts.
 */
export interface TranscriptStore {
  /** Those of one conversation, in the order of their names. */
  list(folder: string): Promise<TranscriptListing[]>;
  /** Some of all there are: those behind a name, in the order of the storage. */
  page(after: TranscriptName | null): Promise<TranscriptPage>;
  get(name: TranscriptName): Promise<StoredTranscript | null>;
  /** Null when the text is no longer what `expected` says (null = there must be none). */
  put(transcript: NewTranscript): Promise<{ readonly etag: string } | null>;
}

/** `folder` stands for the conversation, `part` is its day (YYYY-MM-DD), with a number where it has several. */
export interface TranscriptName {
  readonly folder: string;
  readonly part: string;
}

export interface TranscriptListing extends TranscriptName {
  readonly etag: string;
}

export interface TranscriptPage {
  readonly listings: readonly TranscriptListing[];
  /** The name to go on after; null = these were the last. */
  readonly next: TranscriptName | null;
}

export interface TranscriptFacts {
  readonly sessionKey: string;
  /** Who it is with, across channels. */
  readonly identity: string;
}

export interface StoredTranscript extends TranscriptName, TranscriptFacts {
  readonly text: string;
  readonly etag: string;
  readonly modifiedAt: number;
}

export interface NewTranscript extends TranscriptName, TranscriptFacts {
  readonly text: string;
  readonly expected: string | null;
}
