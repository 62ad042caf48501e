import type { DeliveryKind, ReplyRoute } from "./message.ts";
import { z } from "zod";
import type { OutboundPart } from "./channel.ts";
import type { JsonObject } from "./json.ts";

/**
 * One request to a platform, decided and stored before it is made. `prepared → sending → sent |
 * failed | unknown`; only src/core/delivery moves a row.
 */
export type OutboxStatus = "prepared" | "sending" | "sent" | "failed" | "unknown";
export type OutboxMode = "send" | "edit" | "remove";
export type OutboxKind = DeliveryKind | "preview";

/** A part as it is stored; its payload is the channel's own. */
export const outboundPartSchema = z.object({
  payload: z.custom<JsonObject>((value) => typeof value === "object" && value !== null),
  text: z.string(),
});

export interface OutboxRow {
  readonly seq: number;
  /** Unique: `turnId:final:0`, `command:12:0` … */
  readonly key: string;
  readonly turnId: string | null;
  readonly kind: OutboxKind;
  readonly mode: OutboxMode;
  readonly route: ReplyRoute;
  readonly part: OutboundPart;
  readonly status: OutboxStatus;
  /** Platform id of the message to edit or remove; afterwards of the one that was sent. */
  readonly messageId: string | null;
  readonly attempts: number;
  readonly nextAt: number;
  /** Which run of the object holds it while `sending`. */
  readonly claim: string | null;
  readonly claimedAt: number | null;
  readonly error: string | null;
  /** When it was stored; once nothing more is done about it, when that was known. */
  readonly at: number;
}

export interface NewOutboxRow {
  readonly key: string;
  readonly turnId: string | null;
  readonly kind: OutboxKind;
  readonly mode: OutboxMode;
  readonly route: ReplyRoute;
  readonly part: OutboundPart;
  readonly messageId?: string;
}
