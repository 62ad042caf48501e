import { z } from "zod";

/**
 * The parts of Responses API events that we read; everything else is ignored. Loose, because other
 * servers speak this protocol, too.
 */
const text = z.string().nullish().catch(null);
const count = z.number().nullish().catch(null);

const itemSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("message"),
    content: z.array(z.object({ type: text, text, refusal: text })).nullish(),
  }),
  z.object({ type: z.literal("function_call"), call_id: text, name: text, arguments: text }),
  z.object({
    type: z.literal("reasoning"),
    id: text,
    summary: z.array(z.object({ text })).nullish().catch(null),
    encrypted_content: text,
  }),
  z.object({ type: z.literal("other") }),
]);
export type OutputItem = z.infer<typeof itemSchema>;

/** An item of a kind we do not know (a hosted tool, …) keeps its place and says nothing. */
const anyItem = itemSchema.catch({ type: "other" });

const usageSchema = z
  .object({
    input_tokens: count,
    output_tokens: count,
    input_tokens_details: z
      .object({ cached_tokens: count, cache_write_tokens: count })
      .nullish()
      .catch(null),
  })
  .nullish()
  .catch(null);
export type ResponsesUsage = NonNullable<z.infer<typeof usageSchema>>;

const failure = z.object({ code: text, message: text }).nullish().catch(null);

const responseSchema = z.object({
  status: text,
  output: z.array(anyItem).nullish().catch(null),
  usage: usageSchema,
  error: failure,
  incomplete_details: z.object({ reason: text }).nullish().catch(null),
});
export type WholeResponse = z.infer<typeof responseSchema>;

export const eventSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.enum(["response.output_item.added", "response.output_item.done"]),
    output_index: z.number(),
    item: anyItem,
  }),
  z.object({
    type: z.enum(["response.output_text.delta", "response.refusal.delta"]),
    delta: z.string(),
  }),
  z.object({
    type: z.enum(["response.reasoning_summary_text.delta", "response.reasoning_text.delta"]),
    delta: z.string(),
  }),
  z.object({
    type: z.literal("response.function_call_arguments.delta"),
    output_index: z.number(),
    delta: z.string(),
  }),
  z.object({
    type: z.enum(["response.completed", "response.incomplete", "response.failed"]),
    response: responseSchema,
  }),
  z.object({ type: z.literal("error"), code: text, message: text }),
]);
export type ResponsesEvent = z.infer<typeof eventSchema>;
