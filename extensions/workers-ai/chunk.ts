import { z } from "zod";

/**
 * What we read of the chunks Workers AI sends, in both of its shapes: Chat Completions
 * (`choices[0].delta`), and its own (`response`, `tool_calls` at the top). One flat form comes out. Loose:
 * a field of an unexpected type is as good as absent, since models differ and change without notice.
 */
const text = z.string().catch("");
const count = z.number().catch(0);
/** A string in pieces, or the finished object. */
const rawArguments = z
  .union([z.string(), z.record(z.string(), z.unknown()).transform((all) => JSON.stringify(all))])
  .catch("");

const callSchema = z
  .object({
    index: z.number().nullable().catch(null),
    id: text,
    name: text,
    arguments: rawArguments,
    function: z.object({ name: text, arguments: rawArguments }).optional().catch(undefined),
  })
  .transform(({ index, id, name, arguments: own, function: nested }) => ({
    index,
    id,
    name: nested?.name || name,
    arguments: nested?.arguments || own,
  }));
export type CallDelta = z.infer<typeof callSchema>;
const callsSchema = z.array(callSchema).catch([]);

const deltaSchema = z
  .object({
    content: text,
    refusal: text,
    reasoning_content: text,
    reasoning: text,
    tool_calls: callsSchema,
  })
  .optional()
  .catch(undefined);

const choiceSchema = z.object({
  delta: deltaSchema,
  /** A model that does not stream sends the whole message. */
  message: deltaSchema,
  finish_reason: text,
});

const usageSchema = z
  .object({
    prompt_tokens: count,
    completion_tokens: count,
    prompt_tokens_details: z.object({ cached_tokens: count }).catch({ cached_tokens: 0 }),
  })
  .optional()
  .catch(undefined);
export type WireUsage = NonNullable<z.infer<typeof usageSchema>>;

const chunkSchema = z.object({
  choices: z.array(choiceSchema).catch([]),
  /** A token that looks like a number comes as one. */
  response: z.union([z.string(), z.number().transform(String)]).catch(""),
  tool_calls: callsSchema,
  finish_reason: text,
  usage: usageSchema,
});

export interface Delta {
  readonly text: string;
  readonly thinking: string;
  readonly isRefusal: boolean;
  readonly calls: readonly CallDelta[];
  readonly finishReason: string;
  readonly usage: WireUsage | undefined;
}

/** Undefined for what is no chunk at all. */
export function readDelta(json: unknown): Delta | undefined {
  const parsed = chunkSchema.safeParse(json);
  if (!parsed.success) return undefined;
  const { choices, response, tool_calls: calls, finish_reason: finishReason, usage } = parsed.data;
  const choice = choices[0];
  const delta = choice?.delta ?? choice?.message;
  if (!delta) {
    const reason = choice?.finish_reason || finishReason;
    return { text: response, thinking: "", isRefusal: false, calls, finishReason: reason, usage };
  }
  // Some models fill both shapes with the same words: one of them counts.
  return {
    text: delta.content + delta.refusal,
    thinking: delta.reasoning_content || delta.reasoning,
    isRefusal: delta.refusal !== "",
    calls: delta.tool_calls.length > 0 ? delta.tool_calls : calls,
    finishReason: choice?.finish_reason || finishReason,
    usage,
  };
}
