import type { AssistantPart, ModelEvent, StopReason, Usage } from "#contract/model.ts";
import { endingEvent, noUsage } from "#kit/model/ending.ts";
import type { ToolNames } from "#kit/model/wire-names.ts";
import {
  eventSchema,
  type WireBlock,
  type WireDelta,
  type WireEvent,
  type WireUsage,
} from "./events.ts";

/**
 * Anthropic's stream events → ours. Deltas go out as they come; the whole message is put together block
 * by block. A stream that ends before its stop reason was cut: what was shown is not an answer, and no
 * tool of it may run.
 */
interface Draft {
  /** In the order the blocks began. */
  readonly blocks: Map<number, AssistantPart>;
  usage: Usage | null;
  stopReason: StopReason | undefined;
  explanation: string | undefined;
}

/** How names and ids of an answer are mapped to ours. */
export interface CallMapping {
  readonly names: ToolNames;
  freshId(id: string): string;
}

/** Ends without a last event when the stream was cut; the caller turns that into a fault. */
export async function* readMessage(
  events: AsyncIterable<unknown>,
  mapping: CallMapping,
): AsyncGenerator<ModelEvent> {
  const draft: Draft = {
    blocks: new Map(),
    usage: null,
    stopReason: undefined,
    explanation: undefined,
  };
  for await (const raw of events) {
    const event = eventSchema.safeParse(raw);
    if (!event.success) continue;
    if (event.data.type === "message_stop") break;
    const delta = apply(draft, event.data, mapping);
    if (delta !== undefined) yield delta;
  }
  const { stopReason, usage, explanation } = draft;
  if (stopReason === undefined) return;
  const parts = [...draft.blocks.values()].map(finished);
  yield endingEvent({
    parts,
    stopReason,
    usage,
    ...(explanation === undefined ? {} : { explanation }),
  });
}

function apply(draft: Draft, event: WireEvent, mapping: CallMapping): ModelEvent | undefined {
  switch (event.type) {
    case "message_start":
      draft.usage = addUsage(draft.usage, event.message.usage);
      return draft.usage === null ? undefined : { type: "usage", usage: draft.usage };
    case "content_block_start": {
      const part = begun(event.content_block, mapping);
      draft.blocks.set(event.index, part);
      return deltaOf(part);
    }
    case "content_block_delta":
      return grow(draft, event.index, event.delta);
    case "message_delta":
      draft.usage = addUsage(draft.usage, event.usage);
      draft.stopReason = stopReasonOf(event.delta.stop_reason) ?? draft.stopReason;
      draft.explanation = event.delta.stop_details?.explanation ?? draft.explanation;
      return undefined;
    case "message_stop":
      return undefined;
  }
}

function begun(block: WireBlock, mapping: CallMapping): AssistantPart {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text ?? "" };
    case "thinking": {
      const part = { type: "thinking", text: block.thinking ?? "", provider: "anthropic" } as const;
      return block.signature ? { ...part, signature: block.signature } : part;
    }
    case "redacted_thinking":
      return { type: "thinking", text: "", redacted: block.data, provider: "anthropic" };
    case "tool_use": {
      const name = mapping.names.fromWire(block.name);
      const id = mapping.freshId(block.id);
      return { type: "tool-call", id, name, arguments: wholeInput(block.input) };
    }
  }
}

/** Streams begin with an empty object; only a server that does not stream sends arguments here. */
function wholeInput(input: unknown): string {
  const isEmpty = typeof input !== "object" || input === null || Object.keys(input).length === 0;
  return isEmpty ? "" : JSON.stringify(input);
}

function grow(draft: Draft, index: number, delta: WireDelta): ModelEvent | undefined {
  const part = draft.blocks.get(index);
  if (part === undefined) return undefined;
  const grown = extended(part, delta);
  draft.blocks.set(index, grown);
  if (delta.type === "text_delta") return deltaOf({ type: "text", text: delta.text });
  if (delta.type !== "thinking_delta") return undefined;
  return deltaOf({ type: "thinking", text: delta.thinking, provider: "anthropic" });
}

function extended(part: AssistantPart, delta: WireDelta): AssistantPart {
  if (part.type === "text" && delta.type === "text_delta") {
    return { ...part, text: part.text + delta.text };
  }
  if (part.type === "thinking" && delta.type === "thinking_delta") {
    return { ...part, text: part.text + delta.thinking };
  }
  if (part.type === "thinking" && delta.type === "signature_delta") {
    return { ...part, signature: (part.signature ?? "") + delta.signature };
  }
  if (part.type === "tool-call" && delta.type === "input_json_delta") {
    return { ...part, arguments: part.arguments + delta.partial_json };
  }
  return part;
}

function deltaOf(part: AssistantPart): ModelEvent | undefined {
  if (part.type === "tool-call" || part.text === "") return undefined;
  return { type: part.type === "text" ? "text-delta" : "thinking-delta", text: part.text };
}

function finished(part: AssistantPart): AssistantPart {
  return part.type === "tool-call" && part.arguments.trim() === ""
    ? { ...part, arguments: "{}" }
    : part;
}

/** Later counts replace earlier ones: they are cumulative. */
function addUsage(before: Usage | null, wire: WireUsage): Usage | null {
  if (!wire) return before;
  const usage = before ?? noUsage;
  return {
    input: wire.input_tokens ?? usage.input,
    output: wire.output_tokens ?? usage.output,
    cacheRead: wire.cache_read_input_tokens ?? usage.cacheRead,
    cacheWrite: wire.cache_creation_input_tokens ?? usage.cacheWrite,
  };
}

function stopReasonOf(reason: string | null | undefined): StopReason | undefined {
  switch (reason) {
    case null:
    case undefined:
      return undefined;
    case "tool_use":
      return "tool-calls";
    case "max_tokens":
    case "model_context_window_exceeded":
      return "length";
    case "refusal":
      return "refusal";
    default:
      return "end";
  }
}
