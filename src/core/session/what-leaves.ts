import type { TranscriptEntry } from "#contract/transcript.ts";

/**
 * Which entries of a transcript may leave its storage for the archive: always its oldest, in one piece, and
 * never what the next request would be given. Decides only.
 */
export interface LeavingRules {
  /** The present context, and its first entry that still goes into requests. */
  readonly sessionId: string | undefined;
  readonly historyFrom: number;
  /** Entries of before then leave; null = age is not asked now. */
  readonly before: number | null;
  /** There is too much of it, or all of it is to go. */
  readonly any: boolean;
}

type Entry = Pick<TranscriptEntry, "seq" | "sessionId" | "at">;

/** Entries in order, from the oldest there is → those of them that leave. */
export function whatLeaves<One extends Entry>(
  entries: readonly One[],
  { sessionId, historyFrom, before, any }: LeavingRules,
): One[] {
  const stays = (entry: Entry) =>
    (entry.sessionId === sessionId && entry.seq >= historyFrom) ||
    !(any || (before !== null && entry.at < before));
  const end = entries.findIndex(stays);
  return end === -1 ? [...entries] : entries.slice(0, end);
}
