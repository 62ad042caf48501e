import { DoubleServer, type RecordedRequest, type Reply } from "./double-server.ts";
import { type SentMessage, type TelegramChat, TelegramChats } from "./telegram-chats.ts";
import {
  ApiFault,
  failureReply,
  faultReply,
  isApplied,
  type TelegramFailure,
} from "./telegram-failure.ts";
import { readParameters } from "./telegram-form.ts";
import { type ApiCall, type ApiMethod, telegramMethods } from "./telegram-methods.ts";

/**
 * A Bot API server on loopback. It validates as the real one does (mark-up is really parsed, lengths,
 * chats, topics, identical edits) and keeps what people would see: `visible(chat)`, and what was ever
 * done: `sent`, `edits`, `deletions`, `drafts`, `actions`, `answers`, `webhook`, `commands`.
 * Failures are scripted per method with `fail`; crash tests use the `gate` of the base class.
 */
export interface TelegramOptions {
  readonly token: string;
  readonly username?: string;
  readonly chats?: readonly TelegramChat[];
  /** Accept a webhook address that is not https, as a self-hosted server does. */
  readonly local?: boolean;
}

export interface Webhook {
  readonly url: string;
  readonly secretToken: string | undefined;
  readonly allowedUpdates: readonly string[];
  readonly maxConnections: number | undefined;
}

export interface StoredFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly mimeType?: string;
  /** What getFile says about the size; absent = nothing, as for some files of the platform. */
  readonly declaredSize?: number;
}

export class TelegramServer extends DoubleServer {
  readonly token: string;
  readonly bot: { readonly id: number; readonly username: string };
  readonly local: boolean;
  readonly chats = new TelegramChats();
  readonly files = new Map<string, StoredFile>();
  readonly sent: SentMessage[] = [];
  readonly edits: { chatId: number; messageId: number; text: string }[] = [];
  readonly deletions: { chatId: number; messageId: number }[] = [];
  readonly drafts: { chatId: number; draftId: number; text: string; thread?: number }[] = [];
  readonly actions: { chatId: number; action: string; thread?: number }[] = [];
  readonly answers: { callbackQueryId: string }[] = [];
  commands: readonly unknown[] = [];
  webhook: Webhook | undefined;
  lastWebhookError: string | undefined;
  readonly #failures: { method: string; failure: TelegramFailure; times: number }[] = [];

  constructor(options: TelegramOptions) {
    super("telegram");
    this.token = options.token;
    this.local = options.local ?? false;
    this.bot = {
      id: Number(options.token.split(":")[0]),
      username: options.username ?? "sample_helper_bot",
    };
    for (const chat of options.chats ?? []) this.chats.add(chat);
  }

  /** Scripts the next `times` calls of a method ("*" = any, "file" = downloads). First in, first out. */
  fail(method: string, failure: TelegramFailure, times = 1): void {
    this.#failures.push({ method, failure, times });
  }

  /** What a person sees in a chat now, oldest first. */
  visible(chatId: number): SentMessage[] {
    return this.chats.visible(chatId);
  }

  /** Calls of a method so far, with their parameters. */
  calls(method: string): RecordedRequest[] {
    return this.requests.filter((request) => request.path.split("?")[0]?.endsWith(`/${method}`));
  }

  /** Sends an update to the registered webhook (or `url`), as the platform does. */
  async push(
    update: unknown,
    target?: { readonly url: string; readonly secret?: string },
  ): Promise<Response> {
    const url = target?.url ?? this.webhook?.url;
    const secret = target ? target.secret : this.webhook?.secretToken;
    if (url === undefined) throw new Error("no webhook is registered");
    return fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(secret !== undefined && { "x-telegram-bot-api-secret-token": secret }),
      },
      body: JSON.stringify(update),
    });
  }

  override clear(): void {
    super.clear();
    this.chats.clear();
    this.#failures.length = 0;
    for (const list of [this.sent, this.edits, this.deletions, this.drafts]) list.length = 0;
    this.actions.length = 0;
    this.answers.length = 0;
  }

  protected handle(request: RecordedRequest): Reply | Promise<Reply> {
    const [path = ""] = request.path.split("?");
    const [, kind, token = "", rest = ""] =
      /^\/(bot|file\/bot)([^/]*)\/(.+)$/.exec(decodeURIComponent(path)) ?? [];
    const refused = this.#refuseToken(token);
    if (refused) return refused;
    return kind === "bot" ? this.#call(rest, request) : this.#download(rest);
  }

  #call(name: string, request: RecordedRequest): Reply | Promise<Reply> {
    const method = telegramMethods[name];
    if (!method) return faultReply(new ApiFault(404, "Not Found: method not found"));
    const failure = this.#nextFailure(name);
    if (failure && !isApplied(failure)) return failureReply(failure);
    const reply = this.#apply(name, method, request);
    return failure ? failureReply(failure) : reply;
  }

  #apply(name: string, method: ApiMethod, request: RecordedRequest): Reply {
    const call: ApiCall = { name, parameters: readParameters(request), server: this };
    try {
      return { body: JSON.stringify({ ok: true, result: method(call) }) };
    } catch (error) {
      if (error instanceof ApiFault) return faultReply(error);
      throw error;
    }
  }

  #refuseToken(token: string): Reply | undefined {
    if (token === this.token) return undefined;
    const wellFormed = /^\d+:[\w-]+$/.test(token);
    return faultReply(
      wellFormed ? new ApiFault(401, "Unauthorized") : new ApiFault(404, "Not Found"),
    );
  }

  #nextFailure(method: string): TelegramFailure | undefined {
    const index = this.#failures.findIndex(
      (entry) => entry.method === method || entry.method === "*",
    );
    const entry = this.#failures[index];
    if (!entry) return undefined;
    entry.times -= 1;
    if (entry.times <= 0) this.#failures.splice(index, 1);
    return entry.failure;
  }

  #download(path: string): Reply | Promise<Reply> {
    const failure = this.#nextFailure("file");
    if (failure) return failureReply(failure);
    const file = [...this.files.values()].find((candidate) => candidate.path === path);
    if (!file) return { status: 404, body: JSON.stringify({ ok: false, error_code: 404 }) };
    return {
      headers: { "content-type": file.mimeType ?? "application/octet-stream" },
      body: file.bytes,
    };
  }
}
