import type { ModelEvent, Usage } from "#contract/model.ts";
import {
  type ChatDraft,
  type ChatNames,
  draftedParts,
  draftedStop,
  emptyDraft,
} from "#kit/model/chat-draft.ts";
import { endingEvent } from "#kit/model/ending.ts";
import { addCall } from "./calls.ts";
import { readDelta, type WireUsage } from "./chunk.ts";
import { readError } from "./fault.ts";

/**
 * Event data (JSON texts, then "[DONE]") → our events. Lenient about shapes, strict about the end: without
 * a finish reason and without "[DONE]" the stream was cut, so there is no last event and no tool may run.
 */
export async function* readAnswer(
  events: AsyncIterable<string>,
  names: ChatNames,
): AsyncGenerator<ModelEvent> {
  const draft = emptyDraft();
  let isDone = false;
  for await (const data of events) {
    isDone = data.trim() === "[DONE]";
    if (isDone) break;
    yield* readData(draft, data);
  }
  if (!isDone && draft.finishReason === undefined) return;
  yield endingEvent({
    parts: draftedParts(draft, "workers-ai", names),
    stopReason: draftedStop(draft),
    usage: draft.usage,
  });
}

function* readData(draft: ChatDraft, data: string): Generator<ModelEvent> {
  let json: unknown;
  try {
    json = JSON.parse(data);
  } catch {
    return; // A keep-alive or a cut line: nothing to show. A cut stream is noticed at its end.
  }
  const error = readError(json);
  if (error) throw error;
  const delta = readDelta(json);
  if (!delta) return;
  const { text, thinking } = delta;
  for (const call of delta.calls) addCall(draft.calls, call);
  draft.refused ||= delta.isRefusal;
  draft.text += text;
  draft.thinking += thinking;
  draft.finishReason = delta.finishReason || draft.finishReason;
  if (delta.usage) draft.usage = usageOf(delta.usage);
  if (thinking !== "") yield { type: "thinking-delta", text: thinking };
  if (text !== "") yield { type: "text-delta", text };
}

function usageOf(usage: WireUsage): Usage {
  const cacheRead = usage.prompt_tokens_details.cached_tokens;
  const input = Math.max(0, usage.prompt_tokens - cacheRead);
  return { input, output: usage.completion_tokens, cacheRead, cacheWrite: 0 };
}
