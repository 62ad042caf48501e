import type { ParsedMessage } from "#contract/message.ts";
import { type Addressed, type BotIdentity, readAddressing } from "./addressing.ts";
import { attachmentsOf } from "./attachments.ts";
import { writeOutQuotes } from "./block-quotes.ts";
import { locationLine, richText, sharedLines } from "./content.ts";
import { chatName, senderOf } from "./people.ts";
import { isForwarded, replyOf } from "./quoting.ts";
import { chatKind, channelId, routeOf } from "./route.ts";
import type { TelegramEntity, TelegramMessage } from "./update-schema.ts";

/** One Telegram message → normal form, or why it is none of ours. Pure. */
export type ReadMessage =
  | { readonly ok: true; readonly message: ParsedMessage }
  | { readonly ok: false; readonly reason: string };

export interface MessageSource {
  readonly account: string;
  readonly bot: BotIdentity;
  readonly updateId: number;
}

export function readMessage(message: TelegramMessage, source: MessageSource): ReadMessage {
  const refusal = refusalOf(message, source.bot);
  if (refusal !== undefined) return { ok: false, reason: refusal };
  const addressed = addressedText(message, source.bot);
  const attachments = attachmentsOf(message);
  const text = [addressed.text, locationLine(message)].filter((line) => line !== "").join("\n");
  const shared = sharedLines(message).join("\n");
  if (text + shared === "" && attachments.length === 0)
    return { ok: false, reason: "service message" };
  const replyTo = replyOf(message, source.bot);
  const { chat } = message;
  const title = chat.type === "private" ? undefined : chatName(chat);
  return {
    ok: true,
    message: {
      channel: channelId,
      account: source.account,
      route: routeOf(source.account, message, message.message_id),
      ...(title !== undefined && { title }),
      sender: senderOf(message),
      text,
      ...(shared === "" ? {} : { shared }),
      attachments,
      ...(replyTo && { replyTo }),
      forwarded: isForwarded(message),
      mentionsSelf:
        chatKind(chat) === "direct" || addressed.mentionsSelf || replyTo?.fromSelf === true,
      deliveryId: String(source.updateId),
      platformMessageId: String(message.message_id),
      ...(message.media_group_id !== undefined && { albumId: message.media_group_id }),
      sentAt: message.date * 1000,
    },
  };
}

function refusalOf(message: TelegramMessage, bot: BotIdentity): string | undefined {
  if (message.from?.id === bot.id) return "own message";
  if (message.from?.is_bot === true && !message.sender_chat) return "message of a bot";
  return message.chat.is_direct_messages === true ? "channel direct messages" : undefined;
}

function addressedText(message: TelegramMessage, bot: BotIdentity): Addressed {
  if (message.rich_message !== undefined) {
    const text = richText(message.rich_message);
    return readAddressing(text, nameEntities(text), bot);
  }
  const text = message.text ?? message.caption ?? "";
  const entities = message.text === undefined ? message.caption_entities : message.entities;
  const written = writeOutQuotes(text, entities ?? []);
  return readAddressing(written.text, written.entities, bot);
}

/** Rich messages have no entity list; names and commands are found by their form. */
function nameEntities(text: string): TelegramEntity[] {
  return [...text.matchAll(/(?<=^|\s)(?:@\w{3,32}|\/\w{1,32}@\w{3,32})/g)].map((match) => ({
    type: match[0].startsWith("@") ? "mention" : "bot_command",
    offset: match.index,
    length: match[0].length,
  }));
}
