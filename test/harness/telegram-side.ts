import type { SentMessage } from "#test/doubles/telegram-chats.ts";
import { TelegramServer } from "#test/doubles/telegram-server.ts";
import type { Runtime } from "./runtime.ts";
import { eventually, type WaitOptions } from "./wait.ts";
import { newCode, newName, newNumber } from "./words.ts";

/**
 * Telegram as its people use it: each has a private chat of their own, groups have members who write.
 * Updates go to the Worker's webhook as the platform sends them, with ids that grow.
 */
export interface TelegramVars {
  readonly TELEGRAM_BOT_TOKEN: string;
  readonly TELEGRAM_WEBHOOK_SECRET: string;
  readonly TELEGRAM_BOT_USERNAME: string;
}

export interface SayOptions {
  /** Chat to write in; the person's own if absent. */
  readonly in?: number;
  /** Topic of a forum. */
  readonly thread?: number;
  /** Further members of the message, or other values for those it has. */
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly updateId?: number;
  readonly messageId?: number;
}

export interface Said {
  readonly updateId: number;
  readonly messageId: number;
  readonly update: Record<string, unknown>;
}

export class TelegramSide {
  readonly server: TelegramServer;
  readonly vars: TelegramVars;
  /** People who own the assistant, one for each test. */
  readonly owners = Array.from({ length: 60 }, () => newNumber(10));
  readonly #runtime: () => Runtime;
  #updateId = newNumber(8);
  #messageId = 10;
  #handedOut = 0;

  constructor(runtime: () => Runtime) {
    this.#runtime = runtime;
    this.vars = {
      TELEGRAM_BOT_TOKEN: `${newNumber(9)}:${newCode(16)}-${newCode(18)}`,
      TELEGRAM_WEBHOOK_SECRET: `hook-${newCode(24)}`,
      TELEGRAM_BOT_USERNAME: "sample_helper_bot",
    };
    this.server = new TelegramServer({ token: this.vars.TELEGRAM_BOT_TOKEN, local: true });
  }

  /** An owner nobody has been before, with an empty chat. */
  owner(): TelegramPerson {
    const id = this.owners[this.#handedOut++];
    if (id === undefined) throw new Error("all owners are handed out");
    return this.person(id);
  }

  person(id = newNumber(10)): TelegramPerson {
    this.server.chats.add({ id, type: "private" });
    return new TelegramPerson(this, id);
  }

  group(options: { readonly id?: number; readonly threads?: readonly number[] } = {}): number {
    const id = options.id ?? -newNumber(10);
    const forum = options.threads ? { is_forum: true, threads: options.threads } : {};
    this.server.chats.add({ id, type: "supergroup", title: newName(), ...forum });
    return id;
  }

  /** Texts the Worker has sent to a chat, whether they are still there or not. */
  sentTo(chat: number): string[] {
    return this.server.sent.filter(({ chatId }) => chatId === chat).map(({ text }) => text);
  }

  nextUpdateId(): number {
    return ++this.#updateId;
  }

  nextMessageId(): number {
    return ++this.#messageId;
  }

  /** Any body, as it is. Without a secret the right one is sent; null sends none. */
  post(body: string | Uint8Array, secret?: string | null, account?: string): Promise<Response> {
    const given = secret === undefined ? this.vars.TELEGRAM_WEBHOOK_SECRET : secret;
    return this.#runtime().fetch(
      `/webhooks/telegram${account === undefined ? "" : `/${account}`}`,
      {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(given !== null && { "x-telegram-bot-api-secret-token": given }),
        },
        body: typeof body === "string" ? body : new Uint8Array(body),
      },
    );
  }

  /** Delivers an update and insists on a 200, as the platform does. */
  async push(update: Readonly<Record<string, unknown>>): Promise<void> {
    const response = await this.post(JSON.stringify(update));
    const text = await response.text();
    if (response.status !== 200) throw new Error(`the webhook said ${response.status}: ${text}`);
  }

  /** Texts people see in a chat. */
  visible(chat: number): string[] {
    return this.server.visible(chat).map(({ text }) => text);
  }

  /** Waits until a chat shows a text, and gives the message. */
  async shows(chat: number, text: string, options: WaitOptions = {}): Promise<SentMessage> {
    const what = `"${text}" in chat ${chat}, which shows ${JSON.stringify(this.visible(chat))}`;
    return eventually(() => this.server.visible(chat).find((one) => one.text.includes(text)), {
      timeoutMs: 30_000,
      what,
      ...options,
    });
  }
}

export class TelegramPerson {
  readonly id: number;
  readonly name = newName();
  readonly #side: TelegramSide;

  constructor(side: TelegramSide, id: number) {
    this.#side = side;
    this.id = id;
  }

  /** Texts in the person's own chat. */
  get sees(): string[] {
    return this.#side.visible(this.id);
  }

  get from(): Record<string, unknown> {
    return { id: this.id, is_bot: false, first_name: this.name };
  }

  async say(text: string, options: SayOptions = {}): Promise<Said> {
    return this.send({ text, ...entitiesOf(text) }, options);
  }

  /** A message of any content. */
  async send(content: Readonly<Record<string, unknown>>, options: SayOptions = {}): Promise<Said> {
    const said = this.compose(content, options);
    await this.#side.push(said.update);
    return said;
  }

  /** The update of a message, not delivered. */
  compose(content: Readonly<Record<string, unknown>>, options: SayOptions = {}): Said {
    const chatId = options.in ?? this.id;
    const isForum = options.thread !== undefined;
    const type = chatId > 0 ? "private" : "supergroup";
    const updateId = options.updateId ?? this.#side.nextUpdateId();
    const messageId = options.messageId ?? this.#side.nextMessageId();
    const message = {
      message_id: messageId,
      date: Math.floor(Date.now() / 1000),
      chat: { id: chatId, type, ...(isForum && { is_forum: true }) },
      from: this.from,
      ...(isForum && { is_topic_message: true, message_thread_id: options.thread }),
      ...content,
      ...options.extra,
    };
    return { updateId, messageId, update: { update_id: updateId, message } };
  }

  /** Waits for a text in the person's own chat. */
  async hears(text: string, options: WaitOptions = {}): Promise<SentMessage> {
    return this.#side.shows(this.id, text, options);
  }
}

/** As the platform marks them: commands and @names. */
function entitiesOf(text: string): Record<string, unknown> {
  const found = [...text.matchAll(/(?<=^|\s)(?:\/\w+(?:@\w+)?|@\w+)/g)].map((match) => ({
    type: match[0].startsWith("@") ? "mention" : "bot_command",
    offset: match.index,
    length: match[0].length,
  }));
  return found.length > 0 ? { entities: found } : {};
}
