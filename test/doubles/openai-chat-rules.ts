import { z } from "zod";
import type { ModelCall } from "./model-script.ts";

/**
 * What Chat Completions refuses with 400: unknown fields, shapes, and tool messages that do not follow
 * the call they answer. Wordings follow the real ones closely enough to be recognised.
 */
const name = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);
const textPart = z.strictObject({ type: z.literal("text"), text: z.string().min(1) });
const imagePart = z.strictObject({
  type: z.literal("image_url"),
  image_url: z.strictObject({
    url: z.string().regex(/^(data:image\/(png|jpeg|gif|webp);base64,.|https?:\/\/)/),
    detail: z.enum(["auto", "low", "high"]).optional(),
  }),
});
const filePart = z.strictObject({
  type: z.literal("file"),
  file: z.strictObject({ filename: z.string().min(1), file_data: z.string().startsWith("data:") }),
});
const toolCall = z.strictObject({
  id: z.string().min(1).max(64),
  type: z.literal("function"),
  function: z.strictObject({ name, arguments: z.string() }),
});
const contentOrCalls = (message: { content?: unknown; tool_calls?: unknown }) =>
  (message.content !== null && message.content !== undefined) || message.tool_calls !== undefined;

const messageSchema = z.discriminatedUnion("role", [
  z.strictObject({ role: z.enum(["system", "developer"]), content: z.string().min(1) }),
  z.strictObject({
    role: z.literal("user"),
    content: z.union([
      z.string(),
      z.array(z.discriminatedUnion("type", [textPart, imagePart, filePart])).min(1),
    ]),
  }),
  z
    .strictObject({
      role: z.literal("assistant"),
      content: z.string().nullish(),
      tool_calls: z.array(toolCall).min(1).optional(),
    })
    .refine(contentOrCalls, "content is required unless tool_calls is specified"),
  z.strictObject({ role: z.literal("tool"), tool_call_id: z.string(), content: z.string() }),
]);
export type ChatMessage = z.infer<typeof messageSchema>;

/** A schema of tool arguments, as both APIs take it. */
export const parametersSchema = z
  .looseObject({ type: z.literal("object") })
  .refine(
    (schema) => !["oneOf", "anyOf", "allOf", "enum", "not"].some((key) => key in schema),
    "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'not' at the top level.",
  )
  .refine((schema) => !hasBareArray(schema), "array schema missing items");

export const efforts = z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max"]);

const bodySchema = z
  .strictObject({
    model: z.string().min(1),
    messages: z.array(messageSchema).min(1),
    tools: z
      .array(
        z.strictObject({
          type: z.literal("function"),
          function: z.strictObject({
            name,
            description: z.string().optional(),
            parameters: parametersSchema.optional(),
            strict: z.boolean().optional(),
          }),
        }),
      )
      .min(1)
      .optional(),
    tool_choice: z.unknown().optional(),
    stream: z.boolean().optional(),
    stream_options: z.strictObject({ include_usage: z.boolean().optional() }).optional(),
    max_tokens: z.number().int().min(1).optional(),
    max_completion_tokens: z.number().int().min(1).optional(),
    reasoning_effort: efforts.optional(),
    prompt_cache_key: z.string().max(64).optional(),
    temperature: z.number().optional(),
    parallel_tool_calls: z.boolean().optional(),
  })
  .refine(
    (body) => body.stream_options === undefined || body.stream === true,
    "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
  );

/** The message of the 400, or undefined for a good request. */
export function chatRefusal(call: ModelCall): string | undefined {
  const body = bodySchema.safeParse(call.body);
  return body.success ? pairingRefusal(body.data.messages) : issueText(body.error);
}

export function issueText(error: z.ZodError): string {
  const issue = error.issues[0]!;
  if (issue.code === "unrecognized_keys") {
    return `Unrecognized request argument supplied: ${[...issue.path, ...issue.keys].join(".")}`;
  }
  return `Invalid value for '${issue.path.join(".")}': ${issue.message}`;
}

function pairingRefusal(messages: readonly ChatMessage[]): string | undefined {
  let open = new Set<string>();
  for (const message of messages) {
    if (message.role === "tool") {
      if (open.delete(message.tool_call_id)) continue;
      return "Invalid parameter: messages with role 'tool' must be a response to a preceding message with 'tool_calls'.";
    }
    if (open.size > 0) return unanswered(open);
    const calls = message.role === "assistant" ? (message.tool_calls ?? []) : [];
    open = new Set(calls.map(({ id }) => id));
    if (open.size < calls.length) return "Duplicate tool call ids.";
  }
  return open.size > 0 ? unanswered(open) : undefined;
}

function unanswered(ids: ReadonlySet<string>): string {
  const missing = [...ids].join(", ");
  return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${missing}`;
}

function hasBareArray(schema: unknown): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  const isBare = "type" in schema && schema.type === "array" && !("items" in schema);
  return isBare || Object.values(schema).some(hasBareArray);
}
