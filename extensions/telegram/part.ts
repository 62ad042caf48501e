import { z } from "zod";
import { outboundMediaSchema } from "#contract/message.ts";

/**
 * The payload of one outbound part: one request of the Bot API without its address. Chat and topic come
 * from the route when it is sent, so that a moved conversation keeps what is still to go out.
 */
export const markedTextSchema = z.object({
  html: z.string(),
  /** Sent instead when Telegram cannot read the mark-up. */
  plain: z.string(),
});
export type MarkedText = z.infer<typeof markedTextSchema>;

const keyboardSchema = z.array(z.array(z.object({ text: z.string(), callback_data: z.string() })));
export type Keyboard = z.infer<typeof keyboardSchema>;

const shared = {
  /** The message this one quotes. */
  replyTo: z.string().optional(),
  keyboard: keyboardSchema.optional(),
};

export const textPartSchema = z.object({
  type: z.literal("text"),
  text: markedTextSchema,
  linkPreview: z.boolean(),
  ...shared,
});
export type TextPart = z.infer<typeof textPartSchema>;

export const mediaPartSchema = z.object({
  type: z.literal("media"),
  /** One file, or two to ten that Telegram shows as an album. */
  files: z.array(outboundMediaSchema).min(1).max(10),
  caption: markedTextSchema.optional(),
  ...shared,
});
export type MediaPart = z.infer<typeof mediaPartSchema>;

export const partSchema = z.discriminatedUnion("type", [textPartSchema, mediaPartSchema]);
export type TelegramPart = z.infer<typeof partSchema>;
