import type { ModelEvent, Usage } from "#contract/model.ts";
import {
  type ChatDraft,
  type ChatNames,
  draftedParts,
  draftedStop,
  emptyDraft,
} from "#kit/model/chat-draft.ts";
import { endingEvent } from "#kit/model/ending.ts";
import { addCallDelta } from "./chat-calls.ts";
import { chunkSchema, type ChatUsage, type Choice, type MessageDelta } from "./chat-events.ts";
import { AnswerError } from "./fault.ts";

/**
 * Chat Completions chunks → our events. Lenient about everything servers get wrong, but not about a cut
 * stream: without a finish reason and without "[DONE]" the answer is not whole, and no tool may run.
 */
export interface Reading extends ChatNames {
  /** Did the server say "[DONE]"? Asked at the end of the stream. */
  saidDone(): boolean;
}

/** Ends without a last event when the stream was cut; the caller turns that into a fault. */
export async function* readChat(
  chunks: AsyncIterable<unknown>,
  reading: Reading,
): AsyncGenerator<ModelEvent> {
  const draft = emptyDraft();
  for await (const raw of chunks) {
    const chunk = chunkSchema.safeParse(raw);
    if (!chunk.success) continue;
    const usage = chunk.data.usage ?? chunk.data.x_groq?.usage;
    if (usage) draft.usage = usageOf(usage);
    const choice = chunk.data.choices?.[0];
    if (choice !== undefined) yield* readChoice(draft, choice);
  }
  if (draft.finishReason === undefined && !reading.saidDone()) return;
  yield endingEvent({
    parts: draftedParts(draft, "openai", reading),
    stopReason: draftedStop(draft),
    usage: draft.usage,
  });
}

function* readChoice(draft: ChatDraft, choice: Choice): Generator<ModelEvent> {
  if (choice.error) {
    throw new AnswerError(choice.error.message ?? "the provider failed", choice.error.code);
  }
  const delta = choice.delta ?? choice.message;
  if (delta) yield* readDelta(draft, delta);
  draft.finishReason = choice.finish_reason || draft.finishReason;
}

function* readDelta(draft: ChatDraft, delta: MessageDelta): Generator<ModelEvent> {
  const thinking = delta.reasoning_content || delta.reasoning || "";
  const text = contentText(delta) + (delta.refusal ?? "");
  draft.refused ||= Boolean(delta.refusal);
  draft.thinking += thinking;
  draft.text += text;
  for (const call of delta.tool_calls ?? []) addCallDelta(draft.calls, call);
  if (thinking !== "") yield { type: "thinking-delta", text: thinking };
  if (text !== "") yield { type: "text-delta", text };
}

function contentText({ content }: MessageDelta): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => (part.type === "text" ? (part.text ?? "") : "")).join("");
}

function usageOf(usage: ChatUsage): Usage {
  const cacheRead = usage.prompt_tokens_details?.cached_tokens ?? 0;
  const cacheWrite = usage.prompt_tokens_details?.cache_write_tokens ?? 0;
  return {
    input: Math.max(0, (usage.prompt_tokens ?? 0) - cacheRead - cacheWrite),
    output: usage.completion_tokens ?? 0,
    cacheRead,
    cacheWrite,
  };
}
