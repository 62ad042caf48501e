import { z } from "zod";
import type { ModelCall } from "./model-script.ts";
import { efforts, issueText, parametersSchema } from "./openai-chat-rules.ts";

/**
 * What the Responses API refuses with 400: unknown fields, shapes, outputs without their call, calls
 * without their output, reasoning that nothing follows or that it did not seal.
 */
const content = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("input_text"), text: z.string() }),
  z.strictObject({
    type: z.literal("input_image"),
    image_url: z.string().regex(/^(data:image\/(png|jpeg|gif|webp);base64,.|https?:\/\/)/),
    detail: z.enum(["low", "high", "auto"]),
  }),
  z.strictObject({
    type: z.literal("input_file"),
    filename: z.string().min(1),
    file_data: z.string().startsWith("data:"),
  }),
]);
const itemSchema = z.union([
  z.strictObject({
    type: z.literal("message").optional(),
    role: z.enum(["user", "assistant", "system", "developer"]),
    content: z.union([z.string().min(1), z.array(content).min(1)]),
  }),
  z.strictObject({
    type: z.literal("function_call"),
    call_id: z.string().min(1).max(64),
    name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
    arguments: z.string(),
  }),
  z.strictObject({
    type: z.literal("function_call_output"),
    call_id: z.string(),
    output: z.string(),
  }),
  z.strictObject({
    type: z.literal("reasoning"),
    id: z.string().startsWith("rs_"),
    summary: z.array(z.strictObject({ type: z.literal("summary_text"), text: z.string() })),
    encrypted_content: z
      .string()
      .startsWith("sealed.", "The encrypted content could not be verified."),
  }),
]);
type Item = z.infer<typeof itemSchema>;

const bodySchema = z.strictObject({
  model: z.string().min(1),
  input: z.union([z.string().min(1), z.array(itemSchema).min(1)]),
  instructions: z.string().min(1).optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal("function"),
        name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
        description: z.string().optional(),
        parameters: parametersSchema,
        strict: z.boolean(),
      }),
    )
    .min(1)
    .optional(),
  max_output_tokens: z.number().int().min(16).optional(),
  reasoning: z.strictObject({ effort: efforts.optional() }).optional(),
  include: z.array(z.literal("reasoning.encrypted_content")).optional(),
  store: z.boolean().optional(),
  stream: z.boolean().optional(),
  prompt_cache_key: z.string().max(64).optional(),
});

/** The message of the 400, or undefined for a good request. */
export function responsesRefusal(call: ModelCall): string | undefined {
  const body = bodySchema.safeParse(call.body);
  if (!body.success) return issueText(body.error);
  const { input } = body.data;
  return typeof input === "string" ? undefined : itemsRefusal(input);
}

function itemsRefusal(items: readonly Item[]): string | undefined {
  const open = new Set<string>();
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    if (item.type === "reasoning" && isLoose(items[index + 1])) {
      return `Item '${item.id}' of type 'reasoning' was provided without its required following item.`;
    }
    if (item.type === "function_call") {
      if (seen.has(item.call_id)) return `Duplicate call_id ${item.call_id}.`;
      seen.add(item.call_id);
      open.add(item.call_id);
    }
    if (item.type === "function_call_output" && !open.delete(item.call_id)) {
      return `No tool call found for function call output with call_id ${item.call_id}.`;
    }
  }
  const [missing] = open;
  return missing === undefined ? undefined : `No tool output found for function call ${missing}.`;
}

function isLoose(next: Item | undefined): boolean {
  if (next === undefined || next.type === "function_call_output") return true;
  return "role" in next && next.role !== "assistant";
}
