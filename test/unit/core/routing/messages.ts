import fc from "fast-check";
import type { ParsedMessage, ReplyRoute } from "#contract/message.ts";

/** Messages for tests of routing: one that says nothing special, and random ones of every shape. */
export function message(
  change: Partial<Omit<ParsedMessage, "route">> & { route?: Partial<ReplyRoute> } = {},
): ParsedMessage {
  const route: ReplyRoute = {
    channel: "telegram",
    account: "default",
    conversation: "222000222",
    kind: "direct",
    ...change.route,
  };
  return {
    channel: route.channel,
    account: route.account,
    sender: { id: "222000222", name: "Sam" },
    text: "hello",
    attachments: [],
    forwarded: false,
    mentionsSelf: false,
    deliveryId: "700001",
    platformMessageId: "41",
    sentAt: 1_760_000_000_000,
    ...change,
    route,
  };
}

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const attachment = fc.record({
  kind: fc.constantFrom("image" as const, "audio" as const, "video" as const, "file" as const),
  ref: fc.string(),
  caption: fc.string(),
});

/** What a message may hold beside who sent it and where: text, captions, commands, buttons, replies. */
export const anyContent = fc
  .record({
    text: fc.oneof(
      fc.string(),
      fc.constantFrom("/status", "/new", "/stop", "stop", "/help@other", "/export", "@pagurus hi"),
    ),
    attachments: fc.array(attachment, { maxLength: 3 }),
    forwarded: fc.boolean(),
    mentionsSelf: fc.boolean(),
    action: optional(fc.string()),
    albumId: optional(fc.string()),
    replyTo: optional(
      fc.record({ messageId: fc.string(), text: fc.string(), fromSelf: fc.boolean() }),
    ),
    title: optional(fc.string()),
  })
  .map((content) => {
    const entries = Object.entries(content).filter(([, value]) => value !== undefined);
    return Object.fromEntries(entries) as Partial<ParsedMessage>;
  });
