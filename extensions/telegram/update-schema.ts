import { z } from "zod";

/**
 * The part of the Bot API's `Update` we read. Unknown members are dropped, so that a newer API is no
 * error; what we rely on is checked. A type test keeps it in step with grammY's types.
 */
const userSchema = z.object({
  id: z.number().int(),
  is_bot: z.boolean().optional(),
  first_name: z.string().optional(),
  last_name: z.string().optional(),
  username: z.string().optional(),
});
export type TelegramUser = z.infer<typeof userSchema>;

const chatSchema = z.object({
  id: z.number().int(),
  type: z.enum(["private", "group", "supergroup", "channel"]),
  title: z.string().optional(),
  username: z.string().optional(),
  first_name: z.string().optional(),
  last_name: z.string().optional(),
  is_forum: z.boolean().optional(),
  is_direct_messages: z.boolean().optional(),
});
export type TelegramChat = z.infer<typeof chatSchema>;

const entitySchema = z.object({
  type: z.string(),
  offset: z.number().int().nonnegative(),
  length: z.number().int().nonnegative(),
  url: z.string().optional(),
  user: userSchema.optional(),
});
export type TelegramEntity = z.infer<typeof entitySchema>;

const fileSchema = z.object({
  file_id: z.string(),
  file_unique_id: z.string().optional(),
  file_size: z.number().optional(),
  file_name: z.string().optional(),
  mime_type: z.string().optional(),
  width: z.number().optional(),
  height: z.number().optional(),
});
export type TelegramFile = z.infer<typeof fileSchema>;

const locationSchema = z.object({ latitude: z.number(), longitude: z.number() });

const originSchema = z.object({
  sender_user: userSchema.optional(),
  sender_user_name: z.string().optional(),
  sender_chat: chatSchema.optional(),
  chat: chatSchema.optional(),
});
export type TelegramOrigin = z.infer<typeof originSchema>;

const keyboardSchema = z.object({
  inline_keyboard: z.array(
    z.array(z.object({ text: z.string(), callback_data: z.string().optional() })),
  ),
});

/** A message that another one answers: no deeper. */
const repliedSchema = z.object({
  message_id: z.number().int(),
  from: userSchema.optional(),
  sender_chat: chatSchema.optional(),
  text: z.string().optional(),
  caption: z.string().optional(),
  forum_topic_created: z.unknown().optional(),
});

export const messageSchema = z.object({
  message_id: z.number().int(),
  date: z.number().nonnegative(),
  chat: chatSchema,
  from: userSchema.optional(),
  sender_chat: chatSchema.optional(),
  author_signature: z.string().optional(),
  message_thread_id: z.number().int().optional(),
  is_topic_message: z.boolean().optional(),
  is_automatic_forward: z.boolean().optional(),
  forward_origin: originSchema.optional(),
  via_bot: userSchema.optional(),
  reply_to_message: repliedSchema.optional(),
  external_reply: z
    .object({ message_id: z.number().int().optional(), origin: originSchema.optional() })
    .optional(),
  quote: z.object({ text: z.string() }).optional(),
  media_group_id: z.string().optional(),
  text: z.string().optional(),
  entities: z.array(entitySchema).optional(),
  caption: z.string().optional(),
  caption_entities: z.array(entitySchema).optional(),
  rich_message: z.unknown().optional(),
  photo: z.array(fileSchema).optional(),
  voice: fileSchema.optional(),
  audio: fileSchema.optional(),
  video: fileSchema.optional(),
  video_note: fileSchema.optional(),
  animation: fileSchema.optional(),
  document: fileSchema.optional(),
  sticker: fileSchema.extend({ emoji: z.string().optional() }).optional(),
  paid_media: z.unknown().optional(),
  story: z.unknown().optional(),
  location: locationSchema.optional(),
  venue: z
    .object({ location: locationSchema, title: z.string(), address: z.string().optional() })
    .optional(),
  contact: z
    .object({
      phone_number: z.string(),
      first_name: z.string().optional(),
      last_name: z.string().optional(),
    })
    .optional(),
  poll: z
    .object({ question: z.string(), options: z.array(z.object({ text: z.string() })) })
    .optional(),
  checklist: z
    .object({ title: z.string(), tasks: z.array(z.object({ text: z.string() })) })
    .optional(),
  game: z.object({ title: z.string(), description: z.string().optional() }).optional(),
  dice: z.object({ emoji: z.string(), value: z.number() }).optional(),
  migrate_to_chat_id: z.number().int().optional(),
  migrate_from_chat_id: z.number().int().optional(),
});
export type TelegramMessage = z.infer<typeof messageSchema>;

/** The message a button hangs on; it may be too old to be shown (then `date` is 0). */
const buttonMessageSchema = z.object({
  chat: chatSchema,
  message_id: z.number().int(),
  message_thread_id: z.number().int().optional(),
  is_topic_message: z.boolean().optional(),
  reply_markup: keyboardSchema.optional(),
});

export const callbackQuerySchema = z.object({
  id: z.string(),
  from: userSchema,
  message: buttonMessageSchema.optional(),
  data: z.string().optional(),
});
export type TelegramCallbackQuery = z.infer<typeof callbackQuerySchema>;

export const stoppedGenerationSchema = z.object({
  chat: chatSchema,
  message_thread_id: z.number().int().optional(),
  draft_id: z.number().int(),
});
export type TelegramStoppedGeneration = z.infer<typeof stoppedGenerationSchema>;

/** Enough to know that something is an update at all. */
export const anyUpdateSchema = z.looseObject({ update_id: z.number().int().nonnegative() });

export const updateSchema = anyUpdateSchema.extend({
  message: messageSchema.optional(),
  channel_post: messageSchema.optional(),
  callback_query: callbackQuerySchema.optional(),
  stopped_message_generation: stoppedGenerationSchema.optional(),
});
export type TelegramUpdate = z.infer<typeof updateSchema>;
