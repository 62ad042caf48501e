import { z } from "zod";

/**
 * The parts of Anthropic's stream events that we read. Loose on purpose: servers that speak this
 * protocol leave fields out and add their own; what we do not know is ignored, not an error.
 */
const tokens = z.number().nullish();

const usageSchema = z
  .object({
    input_tokens: tokens,
    output_tokens: tokens,
    cache_read_input_tokens: tokens,
    cache_creation_input_tokens: tokens,
  })
  .nullish();
export type WireUsage = z.infer<typeof usageSchema>;

const blockSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string().nullish() }),
  z.object({
    type: z.literal("thinking"),
    thinking: z.string().nullish(),
    signature: z.string().nullish(),
  }),
  z.object({ type: z.literal("redacted_thinking"), data: z.string() }),
  z.object({ type: z.literal("tool_use"), id: z.string(), name: z.string(), input: z.unknown() }),
]);
export type WireBlock = z.infer<typeof blockSchema>;

const deltaSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text_delta"), text: z.string() }),
  z.object({ type: z.literal("thinking_delta"), thinking: z.string() }),
  z.object({ type: z.literal("signature_delta"), signature: z.string() }),
  z.object({ type: z.literal("input_json_delta"), partial_json: z.string() }),
]);
export type WireDelta = z.infer<typeof deltaSchema>;

export const eventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("message_start"), message: z.object({ usage: usageSchema }) }),
  z.object({
    type: z.literal("content_block_start"),
    index: z.number(),
    content_block: blockSchema,
  }),
  z.object({ type: z.literal("content_block_delta"), index: z.number(), delta: deltaSchema }),
  z.object({
    type: z.literal("message_delta"),
    delta: z.object({
      stop_reason: z.string().nullish(),
      stop_details: z.object({ explanation: z.string().nullish() }).nullish(),
    }),
    usage: usageSchema,
  }),
  z.object({ type: z.literal("message_stop") }),
]);
export type WireEvent = z.infer<typeof eventSchema>;

/** A whole message, as a server sends that does not stream. */
export const wholeMessageSchema = z.object({
  type: z.literal("message"),
  content: z.array(z.unknown()),
  stop_reason: z.string().nullish(),
  stop_details: z.unknown().optional(),
  usage: z.unknown().optional(),
});
