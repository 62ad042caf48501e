import { badRequest } from "./telegram-failure.ts";

/** What the chats of the double look like to the people in them, and everything that was done. */
export interface TelegramChat {
  readonly id: number;
  readonly type: "private" | "group" | "supergroup" | "channel";
  readonly title?: string;
  readonly first_name?: string;
  readonly is_forum?: boolean;
  /** Topics that exist. */
  readonly threads?: readonly number[];
}

export interface SentMedia {
  readonly type: string;
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface SentMessage {
  readonly chatId: number;
  readonly messageId: number;
  readonly method: string;
  /** What a person reads: entities decoded, tags gone. */
  text: string;
  /** The text as it was sent. */
  raw: string;
  parseMode: string | undefined;
  readonly thread: number | undefined;
  readonly replyTo: number | undefined;
  keyboard: unknown;
  readonly media: readonly SentMedia[];
  readonly albumId: string | undefined;
  readonly at: number;
}

export class TelegramChats {
  readonly #chats = new Map<number, TelegramChat>();
  readonly #visible = new Map<number, SentMessage[]>();
  #nextMessageId = 1000;

  add(chat: TelegramChat): void {
    this.#chats.set(chat.id, chat);
    if (!this.#visible.has(chat.id)) this.#visible.set(chat.id, []);
  }

  remove(chatId: number): void {
    this.#chats.delete(chatId);
  }

  /** The chat a call names, or the platform's refusal. */
  require(chatId: number | undefined): TelegramChat {
    const chat = chatId === undefined ? undefined : this.#chats.get(chatId);
    if (!chat) throw badRequest("chat not found");
    return chat;
  }

  requireThread(chat: TelegramChat, thread: number | undefined): void {
    if (thread === undefined) return;
    if (!chat.threads?.includes(thread) || thread === 1) {
      throw badRequest("message thread not found");
    }
  }

  visible(chatId: number): SentMessage[] {
    return this.#visible.get(chatId) ?? [];
  }

  find(chatId: number, messageId: number | undefined): SentMessage | undefined {
    return this.visible(chatId).find((message) => message.messageId === messageId);
  }

  newMessageId(): number {
    return ++this.#nextMessageId;
  }

  post(message: SentMessage): void {
    this.visible(message.chatId).push(message);
  }

  delete(message: SentMessage): void {
    const messages = this.visible(message.chatId);
    messages.splice(messages.indexOf(message), 1);
  }

  clear(): void {
    for (const messages of this.#visible.values()) messages.length = 0;
  }
}

/** The Message object the API answers with. */
export function messageJson(
  message: SentMessage,
  chat: TelegramChat,
  bot: { readonly id: number; readonly username: string },
): Record<string, unknown> {
  const { threads: _, ...plainChat } = chat;
  return {
    message_id: message.messageId,
    date: Math.floor(message.at / 1000),
    chat: plainChat,
    from: { id: bot.id, is_bot: true, first_name: "Bot", username: bot.username },
    ...(message.thread !== undefined && {
      message_thread_id: message.thread,
      is_topic_message: true,
    }),
    ...(message.albumId !== undefined && { media_group_id: message.albumId }),
    ...(message.media.length > 0 ? { caption: message.text } : { text: message.text }),
  };
}
