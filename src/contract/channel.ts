import type { z } from "zod";
import type { AcceptExtra } from "./inbox.ts";
import type { JsonObject } from "./json.ts";
import type { ExtensionPorts } from "./ports.ts";
import type { OutboundMessage, ParsedMessage, ReplyRoute } from "./message.ts";
import type { Result } from "./result.ts";

/**
 * A chat platform at arm's length. Required are id, account, capabilities, verify, parse, render
 * and send; everything optional exists because the core calls it. The core reads capabilities and
 * never asks which channel it is.
 */
export interface Channel {
  readonly id: string;
  readonly account: string;
  readonly capabilities: ChannelCapabilities;

  /**
   * Is this request really from the platform? Runs over the raw bytes, in constant time, before
   * anything is parsed. Fails closed: a missing secret refuses. Must not throw.
   */
  verify(request: WebhookRequest): Promise<Result<void, VerifyFault>>;

  /** Raw webhook body → normal form. Pure. Must not throw on any body. */
  parse(request: WebhookRequest): Result<ParsedWebhook, ParseFault>;

  /**
   * Markdown → the parts that will be sent, one request each, in order. Pure and deterministic. Each
   * part respects the platform's limits; joined, the parts' visible text is the whole text.
   */
  render(message: OutboundMessage, route: ReplyRoute): OutboundPart[];

  /**
   * Sends one part. Never rejects and never retries by itself, except for what the platform
   * definitely refused (mark-up it cannot parse, a vanished thread): before each further request it
   * calls `context.claim()`, which throws when this runner has been replaced.
   */
  send(part: OutboundPart, route: ReplyRoute, context: SendContext): Promise<SendResult>;

  /** Replaces a message that is already there. Idempotent, so it may be repeated. Never rejects. */
  edit?(
    messageId: string,
    part: OutboundPart,
    route: ReplyRoute,
    context: SendContext,
  ): Promise<SendResult>;

  /** Removes a message of ours (a preview that a killed step left behind). Never rejects. */
  remove?(messageId: string, route: ReplyRoute, context: SendContext): Promise<SendResult>;

  /** Shows unfinished text that vanishes by itself. Idempotent per draft id. Never rejects. */
  draft?(
    draftId: number,
    text: string,
    route: ReplyRoute,
    context: SendContext,
  ): Promise<SendResult>;

  /** How an unfinished answer can be shown on this route. Absent = "none". */
  previewMode?(route: ReplyRoute): PreviewMode;

  /** "… is typing". Cosmetic: errors are swallowed by the channel. */
  typing?(route: ReplyRoute): Promise<void>;

  /** Tells the platform that a pressed button was received. Cosmetic, as `typing`. */
  acknowledgeAction?(message: { deliveryId: string; platformMessageId: string }): Promise<void>;

  /** Fetches an attachment's bytes by its `ref`. Never rejects; `error` is safe to show. */
  fetchAttachment?(ref: string): Promise<Result<FetchedMedia, string>>;

  /**
   * Did a send whose outcome is unknown arrive? Asked once after a restart. Absent = "unknown".
   */
  reconcile?(deliveryId: string, route: ReplyRoute): Promise<ReconcileResult>;

  /** Registers the webhook and the command menu, checks the token, and reports. Never rejects. */
  setup?(context: SetupContext): Promise<SetupReport>;
}

export type PreviewMode = "edit" | "draft" | "none";

export interface ChannelCapabilities {
  /** Visible characters (UTF-16 units, as the platform counts) in one message: `render` is held to it. */
  readonly textLimit: number;
  /** Smallest time between two updates of a preview, milliseconds. */
  readonly previewIntervalMs: number;
  /** The same outside direct chats, where it is longer; absent = `previewIntervalMs`. */
  readonly groupPreviewIntervalMs?: number;
  readonly buttons: boolean;
  /** False: no file can be handed over; what is to be read must be in the text. */
  readonly files?: false;
  /** Do the platform's ids differ by case only? Then keys keep case by escaping capitals. */
  readonly caseSensitiveIds: boolean;
  /** Groups may get another id; where they do, `parse` or a send says so. */
  readonly groupsMove?: true;
  /** False: nothing comes in for it at /webhooks; it has a door of its own. */
  readonly webhook?: false;
  /** One sentence for the prompt: what this channel can show. */
  readonly description: string;
  /** Milliseconds after which the typing indicator must be refreshed; absent = no indicator. */
  readonly typingRefreshMs?: number;
}

export interface WebhookRequest {
  readonly headers: Headers;
  /** Exactly the bytes that were signed. */
  readonly body: Uint8Array;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export type VerifyFault = "not_configured" | "missing" | "wrong" | "stale";
/** With words where a person reads the refusal (an API caller). */
export type ParseFault =
  | "malformed"
  | { readonly reason: "malformed"; readonly message: string; readonly param?: string };

export type ParsedWebhook =
  /** Answer this at once (a challenge); nothing else runs. */
  | { readonly kind: "respond"; readonly body: string; readonly contentType: string }
  | {
      readonly kind: "messages";
      readonly messages: readonly ParsedMessage[];
      /** What an API caller says about the turn itself. */
      readonly extra?: AcceptExtra;
      /** Body of the 200 answer, if the platform wants one. */
      readonly response?: { readonly body: string; readonly contentType: string };
    }
  /** A conversation got another id and stays the one it was. May be told repeatedly. */
  | { readonly kind: "moved"; readonly from: string; readonly to: string }
  /** Valid, but nothing for us. `reason` is logged. */
  | { readonly kind: "ignored"; readonly reason: string };

/** One request's worth of output. `payload` is the channel's own; the core only stores it. */
export interface OutboundPart {
  readonly payload: JsonObject;
  /** What a person will read of it, as Markdown or plain text: for /again, export and logs. */
  readonly text: string;
}

export interface SendContext {
  /** Stable across retries of the same part; a channel may attach it for `reconcile`. */
  readonly deliveryId: string;
  readonly signal: AbortSignal;
  /** Writes to storage in the same event, so that a replaced isolate dies before it acts. */
  claim(): void;
  /** Reads a stored file. Null when it is gone. */
  readMedia(mediaKey: string): Promise<FetchedMedia | null>;
}

export interface FetchedMedia {
  readonly bytes: Uint8Array;
  readonly mimeType: string;
  readonly name: string;
}

export type SendResult =
  | {
      readonly status: "sent";
      readonly messageId: string;
      /** Set when the platform moved the conversation: later sends use this id. */
      readonly movedTo?: { readonly conversation: string; readonly thread?: string };
    }
  /** The platform did certainly not take it: try again, at the earliest after `afterMs`. */
  | { readonly status: "retry"; readonly afterMs?: number; readonly reason: string }
  /** Refused for good. `reason` is redacted. */
  | { readonly status: "failed"; readonly reason: string }
  /** The request went out and the answer is not known. */
  | { readonly status: "unknown"; readonly reason: string };

export type ReconcileResult =
  | { readonly status: "delivered"; readonly messageId: string }
  | { readonly status: "absent" | "unknown" };

export interface SetupContext {
  /** Public origin of this Worker, without a trailing slash. */
  readonly origin: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
}

export interface SetupReport {
  readonly ok: boolean;
  /** One line each, fit for the terminal; never a secret. */
  readonly lines: readonly string[];
}

/** Turns settings (config document, then environment variables) into a channel account. */
export interface ChannelExtension<Settings = unknown> {
  readonly kind: "channel";
  readonly id: string;
  /** Setting name → environment variable, for the account named "default". */
  readonly environment: Readonly<Record<string, string>>;
  /** Strict schema of one account's settings; what is required is what the channel cannot do without. */
  readonly settings: z.ZodType<Settings>;
  /** The form that people's ids always have here. Absent: any. What is written otherwise is told. */
  readonly personIds?: {
    readonly form: RegExp;
    /** "… ids are …", for whoever wrote one that is not. */
    readonly description: string;
  };
  create(account: string, settings: Settings, ports: ExtensionPorts): Channel;
}
