import { z } from "zod";
import { modelFaultReasons } from "./fault.ts";

/**
 * The closed set of reasons a turn can have ended (or paused) for: those of a model call, and our own.
 * The log, `/status` and API callers read it; nobody reads it out of the words for the person.
 */
export const outcomeReasons = [
  /** An answer: whole, cut at the model's output limit, or none on purpose. */
  "end",
  "length",
  "silent",
  /** It waits for a person's answer. */
  "question",
  /** A command has no turn; whoever waits for it is told so. */
  "command",
  /** A person ended it, or had messages set aside. */
  "stopped",
  "new_conversation",
  "interrupted_by_message",
  "set_aside",
  /** We could not go on. */
  "interrupted",
  "journal_version",
  "step_limit",
  "time_limit",
  "tool_loop",
  "internal",
  "unknown_message",
  ...modelFaultReasons,
] as const;

export type OutcomeReason = (typeof outcomeReasons)[number];

/** A reason that an earlier or later version has stored and this one does not know is `unknown`. */
export const outcomeReasonSchema = z.enum(outcomeReasons).catch("unknown");
