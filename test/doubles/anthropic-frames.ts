import {
  answerText,
  type AnswerStep,
  type Frame,
  type ModelCall,
  rawArguments,
  stopReasonOf,
  textChunks,
  usageOf,
} from "./model-script.ts";

/**
 * A scripted answer → Anthropic's message, and the message → its stream events, in the order and with
 * the fields of the real API (numbers of usage in message_start, cumulative in message_delta, arguments
 * as pieces of JSON text).
 */
export interface AnthropicMessage {
  readonly id: string;
  readonly type: "message";
  readonly role: "assistant";
  readonly model: string;
  readonly content: readonly AnthropicBlock[];
  readonly stop_reason: string;
  readonly stop_sequence: null;
  readonly stop_details: { type: "refusal"; category: null; explanation: string | null } | null;
  readonly usage: Record<string, number>;
}

type AnthropicBlock =
  | { readonly type: "text"; readonly text: string; readonly chunks: readonly string[] }
  | { readonly type: "thinking"; readonly thinking: string; readonly signature: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly raw: string };

const stopReasons = {
  end: "end_turn",
  "tool-calls": "tool_use",
  length: "max_tokens",
  refusal: "refusal",
} as const;

export function anthropicMessage(
  step: AnswerStep,
  call: ModelCall,
  signature: string,
): AnthropicMessage & { toJSON(): unknown } {
  const { thinking, toolCalls = [] } = step;
  const text = answerText(step);
  const content: AnthropicBlock[] = [
    ...(thinking === undefined ? [] : [{ type: "thinking", thinking, signature } as const]),
    ...(text === "" ? [] : [{ type: "text", text, chunks: textChunks(step) } as const]),
    ...toolCalls.map((scripted, index) => {
      const id = scripted.id ?? `toolu_F${call.index}_${index + 1}`;
      return { type: "tool_use", id, name: scripted.name, raw: rawArguments(scripted) } as const;
    }),
  ];
  const usage = usageOf(step, call);
  const stop = stopReasonOf(step);
  const message: AnthropicMessage = {
    id: `msg_F${call.index}`,
    type: "message",
    role: "assistant",
    model: call.model,
    content,
    stop_reason: stopReasons[stop],
    stop_sequence: null,
    stop_details:
      stop === "refusal"
        ? { type: "refusal", category: null, explanation: step.refusal ?? null }
        : null,
    usage: {
      input_tokens: usage.input,
      output_tokens: usage.output,
      cache_read_input_tokens: usage.cacheRead,
      cache_creation_input_tokens: usage.cacheWrite,
    },
  };
  return { ...message, toJSON: () => ({ ...message, content: content.map(wholeBlock) }) };
}

function wholeBlock(block: AnthropicBlock): unknown {
  if (block.type === "text") return { type: "text", text: block.text, citations: null };
  if (block.type === "thinking") return block;
  return { type: "tool_use", id: block.id, name: block.name, input: JSON.parse(block.raw || "{}") };
}

export function anthropicFrames(message: AnthropicMessage, step: AnswerStep): Frame[] {
  const { content, stop_reason, stop_sequence, stop_details, usage, ...head } = message;
  const { output_tokens, ...inputUsage } = usage;
  const begun = {
    ...head,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...inputUsage, output_tokens: 1 },
  };
  const frames = [
    frame("message_start", { message: begun }),
    frame("ping", {}),
    ...content.flatMap((block, index) => blockFrames(block, index)),
  ];
  if (step.error !== undefined) return [...frames, errorFrame(step.error)];
  const delta = { stop_reason, stop_sequence, stop_details };
  return [
    ...frames,
    frame("message_delta", { delta, usage: { ...inputUsage, output_tokens } }),
    frame("message_stop", {}),
  ];
}

function blockFrames(block: AnthropicBlock, index: number): Frame[] {
  const [start, deltas] = startAndDeltas(block);
  return [
    frame("content_block_start", { index, content_block: start }),
    ...deltas.map((delta) => ({
      ...frame("content_block_delta", { index, delta }),
      isDelta: true,
    })),
    frame("content_block_stop", { index }),
  ];
}

function startAndDeltas(block: AnthropicBlock): [object, object[]] {
  switch (block.type) {
    case "text":
      return [
        { type: "text", text: "" },
        block.chunks.map((text) => ({ type: "text_delta", text })),
      ];
    case "thinking":
      return [
        { type: "thinking", thinking: "", signature: "" },
        [
          { type: "thinking_delta", thinking: block.thinking },
          { type: "signature_delta", signature: block.signature },
        ],
      ];
    case "tool_use": {
      const half = Math.floor(block.raw.length / 2);
      const pieces = ["", block.raw.slice(0, half), block.raw.slice(half)];
      return [
        { type: "tool_use", id: block.id, name: block.name, input: {} },
        pieces.map((partial_json) => ({ type: "input_json_delta", partial_json })),
      ];
    }
  }
}

function errorFrame(error: NonNullable<AnswerStep["error"]>): Frame {
  const type = error.type ?? "overloaded_error";
  return frame("error", { error: { type, message: error.message ?? "Overloaded" } });
}

function frame(type: string, data: object): Frame {
  return { data: `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n` };
}
