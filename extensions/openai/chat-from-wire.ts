import type { AssistantPart, ModelEvent, StopReason, Usage } from "#contract/model.ts";
import { endingEvent } from "#kit/model/ending.ts";
import type { ToolNames } from "#kit/model/wire-names.ts";
import { addCallDelta, type CallDraft } from "./chat-calls.ts";
import { chunkSchema, type ChatUsage, type Choice, type MessageDelta } from "./chat-events.ts";
import { AnswerError } from "./fault.ts";

/**
 * Chat Completions chunks → our events. Lenient about everything servers get wrong, but not about a cut
 * stream: without a finish reason and without "[DONE]" the answer is not whole, and no tool may run.
 */
export interface Reading {
  readonly names: ToolNames;
  freshId(id: string): string;
  /** Did the server say "[DONE]"? Asked at the end of the stream. */
  saidDone(): boolean;
}

interface Draft {
  text: string;
  thinking: string;
  readonly calls: CallDraft[];
  usage: Usage | null;
  finishReason: string | undefined;
  refused: boolean;
}

/** Ends without a last event when the stream was cut; the caller turns that into a fault. */
export async function* readChat(
  chunks: AsyncIterable<unknown>,
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
    parts: partsOf(draft, reading),
    stopReason: stopReasonOf(draft),
    usage: draft.usage,
  });
}

function* readChoice(draft: Draft, choice: Choice): Generator<ModelEvent> {
  if (choice.error) {
    throw new AnswerError(choice.error.message ?? "the provider failed", choice.error.code);
  }
  const delta = choice.delta ?? choice.message;
  if (delta) yield* readDelta(draft, delta);
  draft.finishReason = choice.finish_reason || draft.finishReason;
}

function* readDelta(draft: Draft, delta: MessageDelta): Generator<ModelEvent> {
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

function partsOf(draft: Draft, reading: Reading): AssistantPart[] {
  const calls = draft.calls.filter((call) => call.name !== "");
  const thinking: AssistantPart = { type: "thinking", text: draft.thinking, provider: "openai" };
  return [
    ...(draft.thinking === "" ? [] : [thinking]),
    { type: "text", text: draft.text },
    ...calls.map((call): AssistantPart => {
      const raw = call.arguments.trim() === "" ? "{}" : call.arguments;
      const name = reading.names.fromWire(call.name);
      return { type: "tool-call", id: reading.freshId(call.id), name, arguments: raw };
    }),
  ];
}

function stopReasonOf(draft: Draft): StopReason {
  if (draft.refused || draft.finishReason === "content_filter") return "refusal";
  if (draft.finishReason === "length") return "length";
  // Calls count whatever the reason says; endingEvent sees to it.
  return "end";
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
