import { z } from "zod";
import { replyRouteSchema, senderSchema } from "./message.ts";
import { thinkingLevels, usageSchema } from "./model.ts";
import { outcomeReasonSchema } from "./outcome.ts";

/**
 * Stored records of one turn. A turn is a row and a journal; running it means reading where it
 * stands and taking one step. Nothing about a turn lives only in memory except its abort signal and
 * the listeners of a live stream.
 */

/** Version written with every journal row; a row of another version ends its turn visibly. */
export const JOURNAL_VERSION = 1;

export const turnStatuses = ["running", "parked", "done", "failed", "aborted"] as const;
export type TurnStatus = (typeof turnStatuses)[number];
export type TurnTrigger = "user" | "cron" | "heartbeat" | "hook" | "subagent" | "memory" | "manual";

/**
 * What the turn does next: `ingest` = fetch attachments and write the user's entries, `model` = call
 * the model, `tools` = run the calls it made.
 */
export type TurnPhase = "ingest" | "model" | "tools";

export interface Turn {
  readonly id: string;
  readonly sessionId: string;
  readonly status: TurnStatus;
  readonly trigger: TurnTrigger;
  readonly phase: TurnPhase;
  /** Counts model calls from 1. */
  readonly step: number;
  /** Failed tries of the present model call. */
  readonly attempts: number;
  /** Times the present step was found interrupted. */
  readonly resumes: number;
  /** Not before, milliseconds since the epoch. */
  readonly nextAt: number;
  readonly startedAt: number;
  readonly endedAt: number | null;
  readonly detail: TurnDetail;
}

/** What is read and written with the turn as a whole. */
export const turnDetailSchema = z.object({
  route: replyRouteSchema,
  /** Of the group or channel, for the prompt only. */
  title: z.string().optional(),
  sender: senderSchema,
  /** An owner wrote it in a direct chat: the only kind of turn that may touch protected files. */
  interactiveOwner: z.boolean(),
  model: z.string(),
  thinking: z.enum(thinkingLevels),
  /** Text for this turn's system prompt only (API callers' system messages). */
  instructions: z.string().optional(),
  /** What code brought to mind for its message; in the prompt only, never part of the conversation. */
  recalled: z.string().optional(),
  /** A message shown while the answer is being written. */
  preview: z
    .object({ messageId: z.string().optional(), state: z.enum(["live", "lost"]) })
    .optional(),
  usage: usageSchema.optional(),
  /** The model's server did not report what some call used. */
  unreported: z.boolean().optional(),
  /** What it waits for while `parked`: the answer becomes the result of this call. */
  parked: z
    .object({
      position: z.number(),
      question: z.string(),
      since: z.number(),
      expiresAt: z.number(),
      /** The call is made again with the answer. */
      again: z.literal(true).optional(),
    })
    .optional(),
  /** The answer to a call that is made again with it. */
  answered: z
    .object({ step: z.number(), position: z.number(), text: z.string(), own: z.boolean() })
    .optional(),
  /** Why it ended, for /status and for the API. */
  outcome: z.object({ reason: outcomeReasonSchema, text: z.string() }).optional(),
  /** Set once the history was halved for an overflow or a format error. */
  repaired: z.boolean().optional(),
  /** Ids of the turns that this one tries again, oldest first: together they are one. */
  retries: z.array(z.string()).optional(),
  /** Messages of it that came after it was stopped and had its files: a next try reads only theirs. */
  late: z.array(z.number()).optional(),
  /** Milliseconds it has waited for a person: they do not count as running. */
  parkedMs: z.number().optional(),
});
export type TurnDetail = z.infer<typeof turnDetailSchema>;

export type JournalKind = "model" | "tool";
export type JournalStatus = "pending" | "started" | "done";

export interface JournalRow {
  readonly turnId: string;
  readonly step: number;
  /** 0 = the model call; calls count from 1 in the order the model made them. */
  readonly position: number;
  readonly kind: JournalKind;
  readonly status: JournalStatus;
  readonly version: number;
  /** Tool calls only. */
  readonly callId: string | null;
  readonly name: string | null;
  readonly input: string | null;
  /** Result of a tool call. */
  readonly output: ToolOutput | null;
}

export const toolOutputSchema = z.object({
  text: z.string(),
  isError: z.boolean(),
  silence: z.boolean().optional(),
  untrusted: z.boolean().optional(),
  framed: z.boolean().optional(),
});
export type ToolOutput = z.infer<typeof toolOutputSchema>;

/**
 * What people who watch a turn live are told. For display only: the transcript is the truth. A
 * `restart` takes back the text since the last `text-end` (a failed try).
 */
export const turnEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("started"), turnId: z.string() }),
  z.object({ type: z.literal("text-delta"), text: z.string() }),
  z.object({ type: z.literal("restart") }),
  z.object({ type: z.literal("text-end"), text: z.string() }),
  z.object({ type: z.literal("tool"), name: z.string(), summary: z.string() }),
  z.object({
    type: z.literal("ended"),
    turnId: z.string(),
    status: z.enum(turnStatuses),
    text: z.string(),
    usage: usageSchema,
    reason: outcomeReasonSchema,
  }),
]);
export type TurnEvent = z.infer<typeof turnEventSchema>;
export type TurnEnd = Extract<TurnEvent, { type: "ended" }>;
