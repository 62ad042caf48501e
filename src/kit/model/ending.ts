import type {
  AssistantMessage,
  AssistantPart,
  ModelEvent,
  StopReason,
  Usage,
} from "#contract/model.ts";

/**
 * The last event of a model call that the provider ended in order: `finish`, or `error` when there is
 * nothing to show (a refusal without words, an empty answer). One rule for all providers, so that a
 * person never meets silence. Failures of the call itself are failure.ts.
 */
export interface Ending {
  readonly parts: readonly AssistantPart[];
  readonly stopReason: StopReason;
  /** Null: none was reported. */
  readonly usage: Usage | null;
  /** The provider's words on a refusal, if it had any. */
  readonly explanation?: string;
}

/** Tool calls of a refused answer are dropped: they were not finished and must not run. */
export function endingEvent(ending: Ending): ModelEvent {
  const refused = ending.stopReason === "refusal";
  const content = ending.parts.filter(
    (part) =>
      !(part.type === "text" && part.text === "") && !(refused && part.type === "tool-call"),
  );
  const calls = content.some((part) => part.type === "tool-call");
  const text = content.some((part) => part.type === "text" && part.text.trim() !== "");
  if (calls || text) {
    const stopReason = calls && ending.stopReason === "end" ? "tool-calls" : ending.stopReason;
    const message: AssistantMessage = { role: "assistant", content };
    return { type: "finish", stopReason, message, usage: ending.usage };
  }
  if (refused) {
    const message = ending.explanation ?? "the model declined to answer";
    return { type: "error", fault: { reason: "refusal", message } };
  }
  const why = ending.stopReason === "length" ? ": the token limit was spent before any text" : "";
  return { type: "error", fault: { reason: "empty", message: `the answer was empty${why}` } };
}

export const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
