import type { AssistantPart, ModelEvent, StopReason, Usage } from "#contract/model.ts";
import { endingEvent } from "#kit/model/ending.ts";
import type { ToolNames } from "#kit/model/wire-names.ts";
import { addCall, type CallDraft } from "./calls.ts";
import { readDelta, type WireUsage } from "./chunk.ts";
import { readError } from "./fault.ts";

/**
 * Event data (JSON texts, then "[DONE]") → our events. Lenient about shapes, strict about the end: without
 * a finish reason and without "[DONE]" the stream was cut, so there is no last event and no tool may run.
 */
export interface Reading {
  readonly names: ToolNames;
  freshId(id: string): string;
}

interface Draft {
  text: string;
  thinking: string;
  readonly calls: CallDraft[];
  usage: Usage | null;
  finishReason: string | undefined;
  refused: boolean;
}

export async function* readAnswer(
  events: AsyncIterable<string>,
  reading: Reading,
): AsyncGenerator<ModelEvent> {
  const draft: Draft = {
    text: "",
    thinking: "",
    calls: [],
    usage: null,
    finishReason: undefined,
    refused: false,
  };
  let isDone = false;
  for await (const data of events) {
    isDone = data.trim() === "[DONE]";
    if (isDone) break;
    yield* readData(draft, data);
  }
  if (!isDone && draft.finishReason === undefined) return;
  yield endingEvent({
    parts: partsOf(draft, reading),
    stopReason: stopReasonOf(draft),
    usage: draft.usage,
  });
}

function* readData(draft: Draft, data: string): Generator<ModelEvent> {
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

function partsOf(draft: Draft, reading: Reading): AssistantPart[] {
  const thinking: AssistantPart = {
    type: "thinking",
    text: draft.thinking,
    provider: "workers-ai",
  };
  const calls = draft.calls.filter(({ name }) => name !== "");
  return [
    ...(draft.thinking === "" ? [] : [thinking]),
    { type: "text", text: draft.text },
    ...calls.map((call): AssistantPart => ({
      type: "tool-call",
      id: reading.freshId(call.id),
      name: reading.names.fromWire(call.name),
      arguments: call.arguments.trim() === "" ? "{}" : call.arguments,
    })),
  ];
}

function stopReasonOf(draft: Draft): StopReason {
  if (draft.refused || draft.finishReason === "content_filter") return "refusal";
  // Calls count whatever the reason says; endingEvent sees to it.
  return draft.finishReason === "length" ? "length" : "end";
}

function usageOf(usage: WireUsage): Usage {
  const cacheRead = usage.prompt_tokens_details.cached_tokens;
  const input = Math.max(0, usage.prompt_tokens - cacheRead);
  return { input, output: usage.completion_tokens, cacheRead, cacheWrite: 0 };
}
