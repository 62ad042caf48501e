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
 * A scripted answer → the Responses API: items with their events in the real order, then how it ended
 * (`response.completed`, `.incomplete`), or one whole response. Reasoning comes encrypted when asked for.
 */
export function responsesFrames(step: AnswerStep, call: ModelCall): Frame[] {
  const items = outputItems(step, call);
  const final = response(step, call);
  const started = { ...final, status: "in_progress", output: [], usage: null };
  const events: EventBody[] = [
    ["response.created", { response: started }],
    ["response.in_progress", { response: started }],
    ...items.flatMap((item, index) => itemEvents(item, index, step)),
  ];
  if (step.error !== undefined) {
    const { code, message = "The server is overloaded." } = step.error;
    const error = { code: code ?? "server_error", message };
    events.push(["response.failed", { response: { ...final, status: "failed", error } }]);
  } else {
    events.push([`response.${final.status}`, { response: final }]);
  }
  return events.map(([type, body], sequence_number) => ({
    data: `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, ...body })}\n\n`,
    isDelta: type.endsWith(".delta"),
  }));
}

export function responsesWhole(step: AnswerStep, call: ModelCall): unknown {
  return response(step, call);
}

type EventBody = readonly [type: string, body: object];

interface Item {
  readonly type: string;
  readonly id: string;
  readonly [key: string]: unknown;
}

function response(step: AnswerStep, call: ModelCall) {
  const usage = usageOf(step, call);
  const input_tokens = usage.input + usage.cacheRead + usage.cacheWrite;
  const stop = stopReasonOf(step);
  const reason =
    stop === "length"
      ? "max_output_tokens"
      : stop === "refusal" && !step.refusal
        ? "content_filter"
        : null;
  return {
    id: `resp_F${call.index}`,
    object: "response",
    created_at: 1_700_000_000,
    model: call.model,
    status: reason === null ? "completed" : "incomplete",
    error: null as object | null,
    incomplete_details: reason === null ? null : { reason },
    output: outputItems(step, call),
    usage:
      step.usage === null
        ? null
        : {
            input_tokens,
            input_tokens_details: {
              cached_tokens: usage.cacheRead,
              cache_write_tokens: usage.cacheWrite,
            },
            output_tokens: usage.output,
            output_tokens_details: { reasoning_tokens: 0 },
            total_tokens: input_tokens + usage.output,
          },
  };
}

function outputItems(step: AnswerStep, call: ModelCall): Item[] {
  const text = answerText(step);
  const content = [
    ...(text === "" ? [] : [{ type: "output_text", text, annotations: [] }]),
    ...(step.refusal === undefined ? [] : [{ type: "refusal", refusal: step.refusal }]),
  ];
  const message = {
    type: "message",
    id: `msg_F${call.index}`,
    role: "assistant",
    status: "completed",
  };
  return [
    ...(step.thinking === undefined ? [] : [reasoningItem(step.thinking, call)]),
    ...(content.length === 0 ? [] : [{ ...message, content }]),
    ...(step.toolCalls ?? []).map((scripted, index) => callItem(scripted, index, call)),
  ];
}

function reasoningItem(thinking: string, call: ModelCall): Item {
  const included = JSON.stringify(call.body["include"] ?? []).includes(
    "reasoning.encrypted_content",
  );
  return {
    type: "reasoning",
    id: `rs_F${call.index}`,
    summary: [{ type: "summary_text", text: thinking }],
    ...(included ? { encrypted_content: sealed(thinking) } : {}),
  };
}

/** Stands for encryption: what the rules accept back. */
export function sealed(thinking: string): string {
  return `sealed.${btoa(encodeURIComponent(thinking))}`;
}

function callItem(scripted: ScriptedCall, index: number, call: ModelCall): Item {
  return {
    type: "function_call",
    id: `fc_F${call.index}_${index + 1}`,
    call_id: scripted.id ?? `call_F${call.index}_${index + 1}`,
    name: scripted.name,
    arguments: rawArguments(scripted),
    status: "completed",
  };
}

function itemEvents(item: Item, output_index: number, step: AnswerStep): EventBody[] {
  const place = { output_index, item_id: item.id };
  const begun = {
    ...item,
    ...(item.type === "function_call" ? { arguments: "", status: "in_progress" } : {}),
    ...(item.type === "message" ? { content: [], status: "in_progress" } : {}),
    ...(item.type === "reasoning" ? { summary: [] } : {}),
  };
  return [
    ["response.output_item.added", { output_index, item: begun }],
    ...deltas(item, step).map(([type, body]): EventBody => [type, { ...place, ...body }]),
    ["response.output_item.done", { output_index, item }],
  ];
}

function deltas(item: Item, step: AnswerStep): EventBody[] {
  if (item.type === "reasoning") {
    return [["response.reasoning_summary_text.delta", { summary_index: 0, delta: step.thinking }]];
  }
  if (item.type === "message") {
    const refusal = step.refusal === undefined ? [] : [step.refusal];
    return [
      ...textChunks(step).map((delta): EventBody => [
        "response.output_text.delta",
        { content_index: 0, delta },
      ]),
      ...refusal.map((delta): EventBody => ["response.refusal.delta", { content_index: 0, delta }]),
    ];
  }
  const raw = String(item["arguments"]);
  const half = Math.floor(raw.length / 2);
  return [raw.slice(0, half), raw.slice(half)].map((delta) => [
    "response.function_call_arguments.delta",
    { delta },
  ]);
}
