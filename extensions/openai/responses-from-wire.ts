import type { AssistantPart, ModelEvent, StopReason, Usage } from "#contract/model.ts";
import { endingEvent } from "#kit/model/ending.ts";
import type { ToolNames } from "#kit/model/wire-names.ts";
import { AnswerError } from "./fault.ts";
import { thinkingPart } from "./reasoning-item.ts";
import {
  eventSchema,
  type OutputItem,
  type ResponsesEvent,
  type ResponsesUsage,
  type WholeResponse,
} from "./responses-events.ts";

/**
 * Responses API events → ours. Items count as they were when they were done; the last event says how it
 * ended. A stream without that event was cut.
 */
export interface Reading {
  readonly model: string;
  readonly names: ToolNames;
  freshId(id: string): string;
}

type FinalEvent = Extract<ResponsesEvent, { response: WholeResponse }>;

/** Ends without a last event when the stream was cut; the caller turns that into a fault. */
export async function* readResponses(
  events: AsyncIterable<unknown>,
  reading: Reading,
): AsyncGenerator<ModelEvent> {
  const items = new Map<number, OutputItem>();
  let isShown = false;
  for await (const raw of events) {
    const event = eventSchema.safeParse(raw);
    if (!event.success) continue;
    if ("response" in event.data) {
      const last = ending(event.data, items, reading);
      if (!isShown) yield* textOf(last);
      yield last;
      return;
    }
    const delta = apply(items, event.data);
    if (delta === undefined) continue;
    isShown ||= delta.type === "text-delta";
    yield delta;
  }
}

/** The text of an answer that was not streamed, as one delta. */
function* textOf(last: ModelEvent): Generator<ModelEvent> {
  const content = last.type === "finish" ? last.message.content : [];
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
  if (text !== "") yield { type: "text-delta", text };
}

function apply(
  items: Map<number, OutputItem>,
  event: Exclude<ResponsesEvent, FinalEvent>,
): ModelEvent | undefined {
  switch (event.type) {
    case "response.output_item.added":
    case "response.output_item.done":
      items.set(event.output_index, event.item);
      return undefined;
    case "response.function_call_arguments.delta": {
      const item = items.get(event.output_index);
      if (item?.type === "function_call") {
        items.set(event.output_index, { ...item, arguments: (item.arguments ?? "") + event.delta });
      }
      return undefined;
    }
    case "response.output_text.delta":
    case "response.refusal.delta":
      return event.delta === "" ? undefined : { type: "text-delta", text: event.delta };
    case "response.reasoning_summary_text.delta":
    case "response.reasoning_text.delta":
      return event.delta === "" ? undefined : { type: "thinking-delta", text: event.delta };
    case "error":
      throw new AnswerError(event.message ?? "the provider failed", event.code);
  }
}

function ending(
  { type, response }: FinalEvent,
  items: ReadonlyMap<number, OutputItem>,
  reading: Reading,
): ModelEvent {
  if (type === "response.failed" || response.status === "failed") {
    throw new AnswerError(response.error?.message ?? "the provider failed", response.error?.code);
  }
  const streamed = [...items].toSorted(([a], [b]) => a - b).map(([, item]) => item);
  const output = streamed.length > 0 ? streamed : (response.output ?? []);
  return endingEvent({
    parts: output.flatMap((item) => partsOf(item, reading)),
    stopReason: stopReasonOf(response, output),
    usage: response.usage ? usageOf(response.usage) : null,
  });
}

function partsOf(item: OutputItem, reading: Reading): AssistantPart[] {
  switch (item.type) {
    case "message":
      return (item.content ?? []).map((part) => ({
        type: "text",
        text: part.text ?? part.refusal ?? "",
      }));
    case "function_call": {
      const raw = item.arguments ?? "";
      const name = reading.names.fromWire(item.name ?? "");
      const id = reading.freshId(item.call_id ?? "");
      return [{ type: "tool-call", id, name, arguments: raw.trim() === "" ? "{}" : raw }];
    }
    case "reasoning": {
      const summary = (item.summary ?? []).map((part) => part.text ?? "").join("\n\n");
      const encrypted = item.encrypted_content ?? undefined;
      const part = thinkingPart({ id: item.id ?? "", summary, encrypted }, reading.model);
      return part === undefined ? [] : [part];
    }
    case "other":
      return [];
  }
}

function stopReasonOf(response: WholeResponse, output: readonly OutputItem[]): StopReason {
  const refused = output.some(
    (item) => item.type === "message" && item.content?.some((part) => Boolean(part.refusal)),
  );
  const incomplete = response.incomplete_details?.reason;
  if (refused || incomplete === "content_filter") return "refusal";
  return incomplete === "max_output_tokens" ? "length" : "end";
}

function usageOf(usage: ResponsesUsage): Usage {
  const cacheRead = usage.input_tokens_details?.cached_tokens ?? 0;
  const cacheWrite = usage.input_tokens_details?.cache_write_tokens ?? 0;
  return {
    input: Math.max(0, (usage.input_tokens ?? 0) - cacheRead - cacheWrite),
    output: usage.output_tokens ?? 0,
    cacheRead,
    cacheWrite,
  };
}
