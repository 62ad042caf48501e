import {
  answerText,
  type AnswerStep,
  type Frame,
  type ModelCall,
  rawArguments,
  type ScriptedCall,
  stopReasonOf,
  textChunks,
  usageOf,
} from "./model-script.ts";

/**
 * A scripted answer → Chat Completions: chunks in the real order (role, content, tool calls in pieces,
 * finish reason with an empty delta, usage only if it was asked for, "[DONE]"), or one whole object.
 */
const finishReasons = {
  end: "stop",
  "tool-calls": "tool_calls",
  length: "length",
  refusal: "content_filter",
} as const;

export function chatFrames(step: AnswerStep, call: ModelCall): Frame[] {
  const head = {
    id: `chatcmpl-F${call.index}`,
    object: "chat.completion.chunk",
    created: 1_700_000_000,
    model: call.model,
  };
  const chunk = (delta: object, finish: string | null = null) =>
    event({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] });
  const delta = (content: object): Frame => ({ ...chunk(content), isDelta: true });
  const frames = [
    chunk({ role: "assistant", content: "", refusal: null }),
    ...(step.thinking === undefined ? [] : [delta({ reasoning_content: step.thinking })]),
    ...textChunks(step).map((content) => delta({ content })),
    ...(step.refusal === undefined ? [] : [delta({ refusal: step.refusal })]),
    ...(step.toolCalls ?? []).flatMap((scripted, index) =>
      callDeltas(scripted, index, call).map((tool_call) => delta({ tool_calls: [tool_call] })),
    ),
  ];
  if (step.error !== undefined) return [...frames, event({ error: errorOf(step.error) })];
  const usage = { ...head, choices: [], usage: chatUsage(step, call) };
  const wantsUsage = JSON.stringify(call.body["stream_options"] ?? {}).includes(
    '"include_usage":true',
  );
  return [
    ...frames,
    chunk({}, finishReason(step)),
    ...(wantsUsage && step.usage !== null ? [event(usage)] : []),
    { data: "data: [DONE]\n\n" },
  ];
}

export function chatWhole(step: AnswerStep, call: ModelCall): unknown {
  const tool_calls = (step.toolCalls ?? []).map((scripted, index) => ({
    id: callId(scripted, index, call),
    type: "function",
    function: { name: scripted.name, arguments: rawArguments(scripted) },
  }));
  const message = {
    role: "assistant",
    content: answerText(step) || null,
    refusal: step.refusal ?? null,
    ...(tool_calls.length > 0 ? { tool_calls } : {}),
  };
  return {
    id: `chatcmpl-F${call.index}`,
    object: "chat.completion",
    created: 1_700_000_000,
    model: call.model,
    choices: [{ index: 0, message, finish_reason: finishReason(step) }],
    ...(step.usage === null ? {} : { usage: chatUsage(step, call) }),
  };
}

function finishReason(step: AnswerStep): string {
  // With words of its own, the model itself declined and stopped in order.
  if (step.refusal !== undefined) return "stop";
  return finishReasons[stopReasonOf(step)];
}

function callDeltas(scripted: ScriptedCall, index: number, call: ModelCall): object[] {
  const raw = rawArguments(scripted);
  const half = Math.floor(raw.length / 2);
  const id = callId(scripted, index, call);
  return [
    { index, id, type: "function", function: { name: scripted.name, arguments: "" } },
    { index, function: { arguments: raw.slice(0, half) } },
    { index, function: { arguments: raw.slice(half) } },
  ];
}

function callId(scripted: ScriptedCall, index: number, call: ModelCall): string {
  return scripted.id ?? `call_F${call.index}_${index + 1}`;
}

function chatUsage(step: AnswerStep, call: ModelCall): object {
  const usage = usageOf(step, call);
  const prompt_tokens = usage.input + usage.cacheRead + usage.cacheWrite;
  return {
    prompt_tokens,
    completion_tokens: usage.output,
    total_tokens: prompt_tokens + usage.output,
    prompt_tokens_details: {
      cached_tokens: usage.cacheRead,
      cache_write_tokens: usage.cacheWrite,
    },
  };
}

function errorOf(error: NonNullable<AnswerStep["error"]>): object {
  return {
    message: error.message ?? "The server is overloaded.",
    type: error.type ?? "server_error",
    code: error.code ?? null,
  };
}

function event(data: object): Frame {
  return { data: `data: ${JSON.stringify(data)}\n\n` };
}
