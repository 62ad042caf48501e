import { z } from "zod";

/**
 * The normal form of what arrives and what leaves. Every channel translates to and from these;
 * nothing behind a channel knows a platform's own shapes. Stored as JSON, so zod owns the types.
 */
export const chatKinds = ["direct", "group", "channel"] as const;
export type ChatKind = (typeof chatKinds)[number];

/** Where an answer goes. Ids keep the platform's own spelling; keys are derived elsewhere. */
export const replyRouteSchema = z.object({
  channel: z.string(),
  account: z.string(),
  conversation: z.string(),
  kind: z.enum(chatKinds),
  /** Topic or thread id, in the platform's spelling; absent for the main conversation. */
  thread: z.string().optional(),
  /** What to quote, where the platform has it. */
  replyToMessageId: z.string().optional(),
  /** Facts only the channel reads, e.g. a team id. Never interpreted by the core. */
  hints: z.record(z.string(), z.string()).optional(),
});
export type ReplyRoute = z.infer<typeof replyRouteSchema>;

export const mediaKinds = ["image", "audio", "video", "file"] as const;
export type MediaKind = (typeof mediaKinds)[number];

/** A file that came with a message. `ref` is what the channel needs to fetch it later. */
export const attachmentSchema = z.object({
  kind: z.enum(mediaKinds),
  /** Channel-specific handle (a file id, a private URL). Never shown, never logged. */
  ref: z.string().optional(),
  /** R2 key once the bytes are ours. */
  mediaKey: z.string().optional(),
  mimeType: z.string().optional(),
  name: z.string().optional(),
  /** Bytes, if the platform says. */
  size: z.number().optional(),
  /** Why there are no bytes ("larger than 20 MB", "sticker"): told to the model and the person. */
  unavailable: z.string().optional(),
  /** Caption of this one file inside an album. */
  caption: z.string().optional(),
});
export type Attachment = z.infer<typeof attachmentSchema>;

export const senderSchema = z.object({
  id: z.string(),
  name: z.string(),
  username: z.string().optional(),
  isOwner: z.boolean(),
});
export type Sender = z.infer<typeof senderSchema>;

export const inboundMessageSchema = z.object({
  channel: z.string(),
  account: z.string(),
  route: replyRouteSchema,
  /** Title of a group or channel, for the prompt only. */
  title: z.string().optional(),
  sender: senderSchema,
  /** Where the sender belongs on platforms that group people; bindings may ask for it. */
  membership: z
    .object({
      guild: z.string().optional(),
      team: z.string().optional(),
      roles: z.array(z.string()).optional(),
    })
    .optional(),
  text: z.string(),
  /**
   * What came along and may be worded by anybody: a contact card, a place, a poll. Never the sender's own
   * words, also where nothing is forwarded.
   */
  shared: z.string().optional(),
  attachments: z.array(attachmentSchema),
  /** The message this one answers. */
  replyTo: z
    .object({
      messageId: z.string(),
      text: z.string().optional(),
      author: z.string().optional(),
      fromSelf: z.boolean(),
    })
    .optional(),
  /** True when the words are someone else's (forwarded): never the owner's own. */
  forwarded: z.boolean(),
  /** True when the assistant is addressed: by name, by @mention, or by a reply to it. */
  mentionsSelf: z.boolean(),
  /** The platform's own id of this delivery (update_id, event_id): first dedupe key. */
  deliveryId: z.string(),
  /** The platform's id of the message itself: second dedupe key, with its conversation. */
  platformMessageId: z.string(),
  /** Messages that belong together (an album) share it. */
  albumId: z.string().optional(),
  /** A pressed button instead of text: its payload. `text` then holds its label or "". */
  action: z.string().optional(),
  /** Milliseconds since the epoch, by the platform's clock. */
  sentAt: z.number(),
  /** Milliseconds since the epoch, by ours. */
  receivedAt: z.number(),
});
export type InboundMessage = z.infer<typeof inboundMessageSchema>;

/** What a channel's parser returns: everything but what only routing and the clock know. */
export type ParsedMessage = Omit<InboundMessage, "sender" | "receivedAt"> & {
  readonly sender: Omit<Sender, "isOwner">;
};

/**
 * Why something is sent, declared by whoever sends it and never inferred: `final` is the answer of a
 * turn, `interim` something said on the way, `notice` a word from the system, `command` the answer
 * to a command. A `notice` cannot be asked for again.
 */
export const deliveryKinds = ["final", "interim", "notice", "command"] as const;
export type DeliveryKind = (typeof deliveryKinds)[number];

export const outboundButtonSchema = z.object({
  label: z.string(),
  /** Comes back as `action` of an InboundMessage; at most 64 bytes. */
  data: z.string(),
});
export type OutboundButton = z.infer<typeof outboundButtonSchema>;

export const outboundMediaSchema = z.object({
  kind: z.enum(mediaKinds),
  mediaKey: z.string(),
  mimeType: z.string(),
  name: z.string(),
});
export type OutboundMedia = z.infer<typeof outboundMediaSchema>;

/** What the assistant says, before a channel has rendered it. `text` is Markdown. */
export interface OutboundMessage {
  readonly kind: DeliveryKind;
  readonly text: string;
  readonly media?: readonly OutboundMedia[];
  readonly buttons?: readonly (readonly OutboundButton[])[];
}
