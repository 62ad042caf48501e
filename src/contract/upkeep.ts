import { z } from "zod";
import type { Trust } from "./transcript.ts";
import type { KeptVersion, RestoreVersion, WorkspaceResult } from "./workspace.ts";

/**
 * What its owner may ask of an agent's memory beyond looking into it: where it has something from, and to
 * forget it; to take over lines that came from outside; to build the index anew. All of it without a model.
 */
export interface MemoryUpkeep {
  /** What the memory has near the text, each with where it comes from; best first. */
  why(text: string, identity: string | null): Promise<readonly MemoryTrace[]>;
  /** Finds what could be forgotten, and keeps it for a while to be confirmed. Once per key. */
  offer(request: OfferRequest): Promise<ForgetOffer>;
  /** Forgets what was offered. Made again it says how far it is. */
  forget(request: ForgetRequest): Promise<ForgetProgress>;
  /** What is being forgotten, and the latest reports. */
  forgetting(): Promise<readonly ForgetProgress[]>;
  /** Files with lines that wait for their owner. */
  waiting(): Promise<readonly WaitingLines[]>;
  /** The owner stands behind a file's lines from outside: how many. */
  adopt(path: string): Promise<number>;
  /** What a file was before, the newest first; the text of one of them; and one of them back, once per operation. */
  versions(path: string): Promise<readonly KeptVersion[]>;
  version(path: string, id: string): Promise<string | null>;
  restore(request: RestoreVersion): Promise<WorkspaceResult>;
  /** Drops the index and begins to build it again. */
  rebuild(): Promise<void>;
}

/** A line of the memory, and what is known of how it got there. */
export interface LinePlace {
  readonly path: string;
  /** Counted from 1; null = it is not there any more. */
  readonly line: number | null;
  /** What it says; null = not to be told, or gone. */
  readonly text: string | null;
  readonly trust: Trust;
  /** When it was written; null = not known. */
  readonly at: number | null;
  /** Conversation it was written in. */
  readonly session: string | null;
  readonly waiting?: true;
}

export interface MemoryTrace extends LinePlace {
  /** Lines it was made from, and the words that were said. */
  readonly from: readonly LinePlace[];
}

export interface WaitingLines {
  readonly path: string;
  readonly lines: number;
}

export interface OfferRequest {
  readonly text: string;
  readonly identity: string | null;
  readonly key: string;
}

export const forgetFactSchema = z.object({
  /** What is said, word for word. */
  text: z.string(),
  /** Places where it was found, as `path:line`. */
  where: z.array(z.string()),
});
export type ForgetFact = z.infer<typeof forgetFactSchema>;

export interface ForgetOffer {
  readonly id: string;
  /** In the order in which they are numbered, from 1; empty = nothing was found. */
  readonly facts: readonly ForgetFact[];
  /** There was more than is offered at a time. */
  readonly more: boolean;
}

export interface ForgetRequest {
  readonly id: string;
  /** Absent = all of them; empty = none: the offer is withdrawn, and what was confirmed before goes on. */
  readonly numbers?: readonly number[];
  /** Who is told, should it take long. */
  readonly sessionKey: string;
}

/** Counts only: what was forgotten stands nowhere. */
export const forgetReportSchema = z.object({
  facts: z.number(),
  files: z.array(z.object({ path: z.string(), lines: z.number() })),
  versions: z.number(),
  /** Standing intents. */
  intents: z.number(),
  /** Texts that dreaming had kept. */
  dreams: z.number(),
  conversations: z.number(),
  /** Rows of conversations. */
  entries: z.number(),
  /** Parts of archived transcripts. */
  archives: z.number(),
  /** Conversations that did not answer, files that could not be changed, and whatever else was left out. */
  unreached: z.array(z.string()),
  /** Other files that still say it, as `path:line`. */
  stillIn: z.array(z.string()),
});
export type ForgetReport = z.infer<typeof forgetReportSchema>;

export type ForgetProgress =
  | { readonly status: "unknown" }
  /** Some number asked for is none of the offer's, which go from 1 to `facts`. Nothing was begun. */
  | { readonly status: "misnumbered"; readonly id: string; readonly facts: number }
  | {
      readonly status: "running";
      readonly id: string;
      readonly report: ForgetReport;
      /** How often the step it is at has failed. */
      readonly failures: number;
    }
  | {
      readonly status: "done";
      readonly id: string;
      readonly report: ForgetReport;
      /** Single words are still in the tables of the search; taking them out is tried again. */
      readonly wordsLeft?: true;
    };

/** What a conversation is asked to do for it: a bounded part each time. */
export interface ForgetSaid {
  /** Of the wish: asked again with the same id and place, after a crash, the conversation says the same. */
  readonly id: string;
  readonly facts: readonly string[];
  /** Where the last part ended; null = at the beginning. */
  readonly after: string | null;
}

export interface ForgottenSaid {
  /** Rows that were changed. */
  readonly changed: number;
  /** Null = that was all. */
  readonly next: string | null;
  /** Something runs here: not yet. */
  readonly busy?: true;
}
