import { z } from "zod";

/**
 * The part of OpenAI's chat completion request that means something here. Loose: clients send many
 * options; those that would change what the caller gets back are refused by name in parse.ts.
 */
const textPart = z.object({ type: z.literal("text"), text: z.string() });
const imagePart = z.object({
  type: z.literal("image_url"),
  image_url: z.union([z.string(), z.object({ url: z.string() })]),
});
const filePart = z.object({
  type: z.literal("file"),
  file: z.object({ file_data: z.string(), filename: z.string().optional() }),
});
const part = z.discriminatedUnion("type", [textPart, imagePart, filePart]);
export type ContentPart = z.infer<typeof part>;

const content = z.union([z.string(), z.array(part)]);

export const chatMessageSchema = z.discriminatedUnion("role", [
  z.object({ role: z.literal("system"), content }),
  z.object({ role: z.literal("developer"), content }),
  z.object({ role: z.literal("user"), content, name: z.string().optional() }),
  z.object({ role: z.literal("assistant"), content: content.nullish() }),
]);
export type ChatMessage = z.infer<typeof chatMessageSchema>;

export const chatRequestSchema = z.object({
  model: z.string(),
  messages: z.array(chatMessageSchema).min(1, "there is none; send at least one from the user"),
  user: z.string().min(1).max(512).optional(),
  n: z.number().optional(),
  tools: z.array(z.unknown()).optional(),
  functions: z.array(z.unknown()).optional(),
});
export type ChatRequest = z.infer<typeof chatRequestSchema>;
