import type { AcceptExtra, InboxKind } from "#contract/inbox.ts";
import type { InboundMessage, ReplyRoute } from "#contract/message.ts";
import { holdUntil } from "#core/queue/hold.ts";
import type { QueueRow } from "#core/queue/row.ts";

/** Waiting messages for tests of the queue, held back as an arriving message would be. */
export interface RowChange {
  readonly at?: number;
  readonly kind?: InboxKind;
  readonly debounceMs?: number;
  readonly extra?: AcceptExtra;
  readonly message?: Partial<Omit<InboundMessage, "route" | "sender">>;
  readonly route?: Partial<ReplyRoute>;
  readonly sender?: string;
  readonly isOwner?: boolean;
}

export const home: ReplyRoute = {
  channel: "telegram",
  account: "default",
  conversation: "111000111",
  kind: "direct",
};

export function row(seq: number, change: RowChange = {}): QueueRow {
  const { at = 0, kind = "message", debounceMs = 0, extra } = change;
  const { sender = "111000111", isOwner = true } = change;
  const route = { ...home, ...change.route };
  const message: InboundMessage = {
    channel: route.channel,
    account: route.account,
    route,
    sender: { id: sender, name: `Person ${sender}`, isOwner },
    text: `message ${seq}`,
    attachments: [],
    forwarded: false,
    mentionsSelf: false,
    deliveryId: `d-${seq}`,
    platformMessageId: String(seq),
    sentAt: at,
    receivedAt: at,
    ...change.message,
  };
  return {
    seq,
    kind,
    message,
    receivedAt: at,
    notBefore: holdUntil(message, kind, debounceMs),
    ...(extra === undefined ? {} : { extra }),
  };
}

export function image(seq: number, text: string, change: RowChange = {}): QueueRow {
  const attachments = [{ kind: "image" as const, ref: `file-${seq}` }];
  return row(seq, {
    ...change,
    message: { text, attachments, albumId: "mg-1", ...change.message },
  });
}
