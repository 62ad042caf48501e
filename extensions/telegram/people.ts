import type { ParsedMessage } from "#contract/message.ts";
import type {
  TelegramChat,
  TelegramMessage,
  TelegramOrigin,
  TelegramUser,
} from "./update-schema.ts";

/** Who speaks. A message in the name of a chat (a channel, an anonymous admin) is that chat's. */
export function senderOf(message: TelegramMessage): ParsedMessage["sender"] {
  const chat = message.sender_chat ?? (message.from ? undefined : message.chat);
  if (chat) return chatSender(chat, message.author_signature);
  return message.from ? userSender(message.from) : chatSender(message.chat);
}

export function userSender(user: TelegramUser): ParsedMessage["sender"] {
  return {
    id: String(user.id),
    name: userName(user),
    ...(user.username !== undefined && { username: user.username }),
  };
}

export function chatSender(chat: TelegramChat, signature?: string): ParsedMessage["sender"] {
  return {
    id: String(chat.id),
    name: signature ?? chatName(chat),
    ...(chat.username !== undefined && { username: chat.username }),
  };
}

export function userName(user: TelegramUser): string {
  const name = [user.first_name, user.last_name].filter(Boolean).join(" ");
  return name || user.username || String(user.id);
}

export function chatName(chat: TelegramChat): string {
  const name = chat.title ?? [chat.first_name, chat.last_name].filter(Boolean).join(" ");
  return name || chat.username || String(chat.id);
}

/** Who said a message that is quoted. */
export function speakerName(message: {
  readonly from?: TelegramUser | undefined;
  readonly sender_chat?: TelegramChat | undefined;
}): string | undefined {
  if (message.sender_chat) return chatName(message.sender_chat);
  return message.from && userName(message.from);
}

/** Whose words are passed on; undefined when Telegram does not say. */
export function originName(origin: TelegramOrigin | undefined): string | undefined {
  if (!origin) return undefined;
  if (origin.sender_user) return userName(origin.sender_user);
  const chat = origin.sender_chat ?? origin.chat;
  return origin.sender_user_name ?? (chat && chatName(chat));
}
