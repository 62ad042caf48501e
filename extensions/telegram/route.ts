import type { ChatKind, ReplyRoute } from "#contract/message.ts";
import type { TelegramChat } from "./update-schema.ts";

/**
 * Where a chat's answers go. A forum's General topic has the thread id "1" in routes, so that its
 * conversation is its own, but the API refuses that number: `sendThread` leaves it out.
 */
export const channelId = "telegram";
export const generalTopic = "1";

interface Place {
  readonly chat: TelegramChat;
  readonly message_thread_id?: number | undefined;
  readonly is_topic_message?: boolean | undefined;
}

export function chatKind(chat: TelegramChat): ChatKind {
  if (chat.type === "private") return "direct";
  return chat.type === "channel" ? "channel" : "group";
}

export function routeOf(account: string, place: Place, replyTo?: number): ReplyRoute {
  const thread = threadOf(place);
  const kind = chatKind(place.chat);
  return {
    channel: channelId,
    account,
    conversation: String(place.chat.id),
    kind,
    ...(thread !== undefined && { thread }),
    // In a direct chat it is plain what is answered.
    ...(replyTo !== undefined && kind !== "direct" && { replyToMessageId: String(replyTo) }),
  };
}

/** Reply chains outside forums carry a thread id too: only topics count. */
function threadOf(place: Place): string | undefined {
  const topic = place.is_topic_message === true ? place.message_thread_id : undefined;
  if (topic !== undefined) return String(topic);
  return place.chat.is_forum === true && place.chat.type !== "private" ? generalTopic : undefined;
}

/** The `message_thread_id` of a send; undefined for the General topic and outside topics. */
export function sendThread(thread: string | undefined): number | undefined {
  if (thread === undefined || thread === generalTopic || !/^\d+$/.test(thread)) return undefined;
  return Number(thread);
}
