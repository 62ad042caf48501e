import { z } from "zod";
import { trusts } from "./transcript.ts";

/**
 * Where a line of the agent's memory came from. Set by code from facts of the turn, never read from
 * text. Markdown cannot carry it, so a ledger beside the files does (`.pagurus/provenance/`, in R2).
 */
export const lineOriginSchema = z.object({
  trust: z.enum(trusts),
  /** Key of the conversation it was written in; absent for what no conversation wrote. */
  session: z.string().optional(),
  /** Transcript entry it was copied from or written after, as `sessionId:seq`. */
  message: z.string().optional(),
  /** Milliseconds since the epoch. */
  at: z.number(),
});
export type LineOrigin = z.infer<typeof lineOriginSchema>;

/** A line of a change that is not by the author of the rest, e.g. the owner's own words. */
export interface QuotedLine {
  /** The line as it stands in the change, without its line end. */
  readonly text: string;
  readonly origin: LineOrigin;
}

/** One line of a version we wrote: found again by the hash of its text (core/memory/line-hash.ts). */
export const lineRecordSchema = lineOriginSchema.extend({
  hash: z.string(),
  /** Came from outside and is not adopted yet; stays so through changes of ours to other lines. */
  waiting: z.literal(true).optional(),
});
export type LineRecord = z.infer<typeof lineRecordSchema>;

/**
 * What is known of one version of a file: everything in it, not only what the last change brought, so
 * that the newest entry is enough. Written before the version itself: a crash between the two leaves
 * lines without a record, which lowers their class and never raises it.
 */
export const ledgerEntrySchema = z.object({
  version: z.literal(1),
  path: z.string(),
  /** Hash of the whole text this entry describes. */
  textHash: z.string(),
  /** Grows with each entry of a path. */
  sequence: z.number().int(),
  lines: z.array(lineRecordSchema),
});
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>;

/**
 * How a file came to be as it is. `ours`: the ledger describes this very version. `outside`: somebody
 * with access to the storage itself has written since (only the account's holder can).
 */
export type Authorship = "ours" | "outside";

/**
 * A file of the memory with the class of each line. Lines without a record: untrusted in a version of
 * ours; in one changed from outside the owner's in curated files, and `waiting` (untrusted until the
 * owner adopts it) in all others.
 */
export interface ClassifiedFile {
  readonly path: string;
  readonly text: string;
  readonly etag: string;
  readonly modifiedAt: number;
  readonly authorship: Authorship;
  /** One per line of `text`, in order (split at "\n"). */
  readonly lines: readonly ClassifiedLine[];
  /** Only of a transcript: the conversation it is of, and who it is with. */
  readonly conversation?: { readonly sessionKey: string; readonly identity: string };
  /** Why it cannot be a source, e.g. no text; then it has no lines. */
  readonly unfit?: string;
}

export interface ClassifiedLine {
  readonly text: string;
  readonly origin: LineOrigin;
  /** Written from outside and not adopted yet. */
  readonly waiting?: true;
}
