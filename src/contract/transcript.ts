import { z } from "zod";
import { assistantPartSchema, toolResultSchema, userPartSchema } from "./model.ts";
import { attachmentSchema } from "./message.ts";

/**
 * One line of a conversation as it is stored: append-only, never rewritten by compaction. The request
 * to a model is a view built from these (core/turn/context.ts), repaired there, not here.
 */

/** The closed set of classes, in order of trust. */
export const trusts = ["owner", "agent", "system", "untrusted"] as const;
export type Trust = (typeof trusts)[number];
export type CleanTrust = Extract<Trust, "owner" | "agent">;

/** Only clean text may become context or memory by itself; all other is from outside. Decided here alone. */
export function isClean(trust: Trust): trust is CleanTrust {
  return trust === "owner" || trust === "agent";
}

export function isLower(a: Trust, b: Trust): boolean {
  return trusts.indexOf(a) > trusts.indexOf(b);
}

/** What is mixed is only as good as its lowest part; of nothing it is the best. */
export function lowestTrust(all: Iterable<Trust>): Trust {
  let lowest: Trust = trusts[0];
  for (const trust of all) if (isLower(trust, lowest)) lowest = trust;
  return lowest;
}

const common = {
  /** Order within a session key; grows over resets too. */
  seq: z.number().int(),
  /** Changes with every reset. */
  sessionId: z.string(),
  /** Absent for what no turn produced (a message sent from elsewhere). */
  turnId: z.string().nullable(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  trust: z.enum(trusts),
  /** Estimated tokens of this entry in a request. */
  tokens: z.number(),
};

export const transcriptEntrySchema = z.discriminatedUnion("role", [
  z.object({
    ...common,
    role: z.literal("user"),
    content: z.array(userPartSchema),
    /** Who wrote it; `showName` in groups, where the model must tell people apart. */
    author: z.object({ name: z.string(), isOwner: z.boolean(), showName: z.boolean() }),
    /** Original attachments, for export; what the model sees of them is in `content`. */
    attachments: z.array(attachmentSchema).optional(),
  }),
  z.object({
    ...common,
    role: z.literal("assistant"),
    content: z.array(assistantPartSchema),
    /** `aborted`: the stream was cut; calls in it may be partial and were not run. */
    status: z.enum(["complete", "aborted"]),
  }),
  z.object({ ...common, role: z.literal("tool"), results: z.array(toolResultSchema) }),
  /** A word of the product itself to the model ("12 older turns are left out"). */
  z.object({ ...common, role: z.literal("note"), text: z.string() }),
]);
export type TranscriptEntry = z.infer<typeof transcriptEntrySchema>;

type WithoutSeq<T> = T extends unknown ? Omit<T, "seq"> : never;
/** An entry before it has its place. */
export type NewTranscriptEntry = WithoutSeq<TranscriptEntry>;

/** Just enough of an entry to decide where history may be cut. */
export interface EntrySize {
  readonly seq: number;
  readonly turnId: string | null;
  readonly role: TranscriptEntry["role"];
  readonly tokens: number;
}
