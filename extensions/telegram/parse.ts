import type { ParsedWebhook, ParseFault, WebhookRequest } from "#contract/channel.ts";
import type { ParsedMessage } from "#contract/message.ts";
import { err, ok, type Result } from "#contract/result.ts";
import type { BotIdentity } from "./addressing.ts";
import { readMessage } from "./message.ts";
import { userSender } from "./people.ts";
import { channelId, routeOf } from "./route.ts";
import {
  type TelegramCallbackQuery,
  type TelegramMessage,
  type TelegramStoppedGeneration,
  type TelegramUpdate,
  anyUpdateSchema,
  updateSchema,
} from "./update-schema.ts";

/**
 * A webhook body → normal form. One update per request. Edits are not new input. A pressed button
 * has no message of its own: its `platformMessageId` is the callback query's id, which the platform
 * wants back in `acknowledgeAction`; its delivery id is the update's, as for everything else.
 */
export interface ParseSource {
  readonly account: string;
  readonly bot: BotIdentity;
}

/** Kinds we know and do not take, with what is counted. */
const ignoredKinds: Readonly<Record<string, string>> = {
  edited_message: "edit",
  edited_channel_post: "edit",
  message_reaction: "reaction",
  message_reaction_count: "reaction",
  my_chat_member: "membership",
  chat_member: "membership",
  business_connection: "business",
  business_message: "business",
  edited_business_message: "business",
  deleted_business_messages: "business",
};

/** Never throws. */
export function parseTelegram(
  request: WebhookRequest,
  source: ParseSource,
): Result<ParsedWebhook, ParseFault> {
  const body = readJson(request.body);
  const update = updateSchema.safeParse(body);
  if (update.success) return ok(readUpdate(update.data, request, source));
  // Telegram repeats what is not taken and holds back what follows in that chat: one update of a
  // shape we do not know must not silence a conversation.
  if (anyUpdateSchema.safeParse(body).success) {
    return ok({ kind: "ignored", reason: "unreadable update" });
  }
  return err("malformed");
}

function readUpdate(
  update: TelegramUpdate,
  request: WebhookRequest,
  source: ParseSource,
): ParsedWebhook {
  const posted = update.message ?? update.channel_post;
  if (posted) {
    const moved = readMove(posted);
    if (moved) return moved;
    const read = readMessage(posted, { ...source, updateId: update.update_id });
    return read.ok ? messages(read.message) : { kind: "ignored", reason: read.reason };
  }
  const at = { updateId: update.update_id, now: request.now, source };
  if (update.callback_query) return readButton(update.callback_query, at);
  if (update.stopped_message_generation) return readStop(update.stopped_message_generation, at);
  const known = Object.keys(update).find((key) => Object.hasOwn(ignoredKinds, key));
  return { kind: "ignored", reason: known ? (ignoredKinds[known] ?? known) : "unsupported update" };
}

/** A group became a supergroup. Both chats are told, each of the other; either notice is enough. */
function readMove(posted: TelegramMessage): ParsedWebhook | undefined {
  const here = String(posted.chat.id);
  const { migrate_to_chat_id: to, migrate_from_chat_id: from } = posted;
  if (to !== undefined) return { kind: "moved", from: here, to: String(to) };
  if (from !== undefined) return { kind: "moved", from: String(from), to: here };
  return undefined;
}

interface Arrival {
  readonly updateId: number;
  readonly now: number;
  readonly source: ParseSource;
}

function readButton(query: TelegramCallbackQuery, at: Arrival): ParsedWebhook {
  const { message, data } = query;
  if (!message) return { kind: "ignored", reason: "button outside a chat" };
  if (data === undefined) return { kind: "ignored", reason: "button without data" };
  const buttons = message.reply_markup?.inline_keyboard.flat() ?? [];
  const label = buttons.find((button) => button.callback_data === data)?.text ?? "";
  return messages({
    ...blank(at),
    route: routeOf(at.source.account, message),
    sender: userSender(query.from),
    text: label,
    action: data,
    platformMessageId: query.id,
  });
}

/** The stop button below a draft. Only direct chats have it, so the chat is the person. */
function readStop(stop: TelegramStoppedGeneration, at: Arrival): ParsedWebhook {
  const topic = stop.message_thread_id !== undefined;
  return messages({
    ...blank(at),
    route: routeOf(at.source.account, { ...stop, is_topic_message: topic }),
    sender: userSender(stop.chat),
    text: "/stop",
    platformMessageId: `stop-${at.updateId}`,
  });
}

/** What a press has in common. It carries no time of its own. */
function blank(at: Arrival) {
  return {
    channel: channelId,
    account: at.source.account,
    attachments: [],
    forwarded: false,
    mentionsSelf: true,
    deliveryId: String(at.updateId),
    sentAt: at.now,
  };
}

function messages(message: ParsedMessage): ParsedWebhook {
  return { kind: "messages", messages: [message] };
}

function readJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(body));
  } catch {
    return undefined; // Not JSON: the schema says "malformed".
  }
}
