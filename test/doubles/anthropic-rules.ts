import { z } from "zod";
import { callRefusal } from "./anthropic-pairing.ts";
import { type Signatures, thinkingRefusal } from "./anthropic-thinking-rules.ts";
import type { ModelCall } from "./model-script.ts";

/**
 * What Anthropic's API refuses with 400 invalid_request_error: shapes and fields here, the pairing of
 * calls and results and the rules of thinking in their own files. Wordings follow the real ones closely
 * enough to be recognised.
 */
const cacheControl = z
  .strictObject({ type: z.literal("ephemeral"), ttl: z.enum(["5m", "1h"]).optional() })
  .nullish();
const textBlock = z.strictObject({
  type: z.literal("text"),
  text: z
    .string()
    .refine((text) => text.trim() !== "", "text content blocks must contain non-whitespace text"),
  cache_control: cacheControl,
});
const base64 = z.base64().min(1);
const imageBlock = z.strictObject({
  type: z.literal("image"),
  source: z.strictObject({
    type: z.literal("base64"),
    media_type: z.enum(["image/jpeg", "image/png", "image/gif", "image/webp"]),
    data: base64,
  }),
  cache_control: cacheControl,
});
const documentBlock = z.strictObject({
  type: z.literal("document"),
  source: z.strictObject({
    type: z.literal("base64"),
    media_type: z.literal("application/pdf"),
    data: base64,
  }),
  title: z.string().min(1).max(500).nullish(),
  cache_control: cacheControl,
});
const nonBlank = z.string().refine((text) => text.trim() !== "", "content must not be blank");
const resultBlock = z.strictObject({
  type: z.literal("tool_result"),
  tool_use_id: z.string(),
  content: z.union([nonBlank, z.array(z.union([textBlock, imageBlock])).min(1)]).optional(),
  is_error: z.boolean().optional(),
  cache_control: cacheControl,
});
const callBlock = z.strictObject({
  type: z.literal("tool_use"),
  id: z.string().regex(/^[a-zA-Z0-9_-]+$/),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,200}$/),
  input: z.record(z.string(), z.unknown()),
  cache_control: cacheControl,
});
const thinkingBlock = z.strictObject({
  type: z.literal("thinking"),
  thinking: z.string(),
  signature: z.string().min(1),
});
const redactedBlock = z.strictObject({
  type: z.literal("redacted_thinking"),
  data: z.string().min(1),
});

const nonEmpty = "all messages must have non-empty content";
const userMessage = z.strictObject({
  role: z.literal("user"),
  content: z.union([
    nonBlank,
    z
      .array(z.discriminatedUnion("type", [textBlock, imageBlock, documentBlock, resultBlock]))
      .min(1, nonEmpty),
  ]),
});
const assistantMessage = z.strictObject({
  role: z.literal("assistant"),
  content: z.union([
    nonBlank,
    z
      .array(z.discriminatedUnion("type", [textBlock, callBlock, thinkingBlock, redactedBlock]))
      .min(1, nonEmpty),
  ]),
});

const combinators = ["oneOf", "allOf", "anyOf"];
const tool = z.strictObject({
  type: z.literal("custom").nullish(),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  description: z.string().optional(),
  input_schema: z
    .looseObject({ type: z.literal("object") })
    .refine(
      (schema) => !combinators.some((key) => key in schema),
      "input_schema does not support oneOf, allOf, or anyOf at the top level",
    ),
  cache_control: cacheControl,
  strict: z.boolean().optional(),
});

const bodySchema = z.strictObject({
  model: z.string().min(1),
  max_tokens: z.number().int().min(1),
  messages: z.array(z.discriminatedUnion("role", [userMessage, assistantMessage])).min(1),
  system: z.union([z.string(), z.array(textBlock)]).optional(),
  tools: z.array(tool).optional(),
  tool_choice: z.looseObject({ type: z.string() }).optional(),
  thinking: z.looseObject({ type: z.string() }).optional(),
  output_config: z
    .strictObject({ effort: z.enum(["low", "medium", "high", "xhigh", "max"]).optional() })
    .optional(),
  metadata: z.strictObject({ user_id: z.string().nullish() }).optional(),
  stop_sequences: z.array(z.string()).optional(),
  stream: z.boolean().optional(),
  service_tier: z.enum(["auto", "standard_only"]).optional(),
  cache_control: cacheControl,
});
export type AnthropicBody = z.infer<typeof bodySchema>;

/** The message of the 400, or undefined for a good request. */
export function anthropicRefusal(call: ModelCall, signatures: Signatures): string | undefined {
  const body = bodySchema.safeParse(call.body);
  if (!body.success) return issueText(body.error);
  const { messages, tools = [] } = body.data;
  if (messages[0]?.role !== "user") return 'messages: first message must use the "user" role';
  if (messages.at(-1)?.role === "assistant") {
    return "This model does not support assistant message prefill. The conversation must end with a user message.";
  }
  const names = tools.map(({ name }) => name);
  if (new Set(names).size < names.length) return "tools: Tool names must be unique.";
  if (countMarks(body.data) > 4) return "A maximum of 4 blocks with cache_control may be provided.";
  return callRefusal(messages) ?? thinkingRefusal(body.data, call, signatures);
}

function countMarks(body: AnthropicBody): number {
  return JSON.stringify(body).split('"cache_control":{').length - 1;
}

function issueText(error: z.ZodError): string {
  const issue = error.issues[0]!;
  const path = [...issue.path, ...(issue.code === "unrecognized_keys" ? issue.keys : [])].join(".");
  if (issue.code === "unrecognized_keys") return `${path}: Extra inputs are not permitted`;
  return `${path}: ${issue.message}`;
}
