import type { ParsedMessage } from "#contract/message.ts";
import type { BotIdentity } from "./addressing.ts";
import { originName, speakerName } from "./people.ts";
import type { TelegramMessage } from "./update-schema.ts";

/** Other people's words around a message: what it answers, and whether it is itself passed on. */
/** Words of others: forwarded, posted by a linked channel, or written by an inline bot. */
export function isForwarded(message: TelegramMessage): boolean {
  return (
    message.forward_origin !== undefined ||
    message.is_automatic_forward === true ||
    message.via_bot !== undefined
  );
}

/** What the message answers; undefined for none. */
export function replyOf(message: TelegramMessage, bot: BotIdentity): ParsedMessage["replyTo"] {
  const replied = message.reply_to_message;
  if (!replied) return externalReply(message);
  // In a topic everything "answers" the notice that opened the topic.
  const root =
    message.is_topic_message === true && replied.message_id === message.message_thread_id;
  if (root || replied.forum_topic_created !== undefined) return undefined;
  const text = message.quote?.text ?? replied.text ?? replied.caption;
  const author = speakerName(replied);
  return {
    messageId: String(replied.message_id),
    ...(text !== undefined && { text }),
    ...(author !== undefined && { author }),
    fromSelf: replied.from?.id === bot.id,
  };
}

function externalReply(message: TelegramMessage): ParsedMessage["replyTo"] {
  const external = message.external_reply;
  if (!external) return undefined;
  const author = originName(external.origin);
  return {
    messageId: String(external.message_id ?? ""),
    ...(message.quote && { text: message.quote.text }),
    ...(author !== undefined && { author }),
    fromSelf: false,
  };
}
