import type { OutboundMessage, ReplyRoute } from "#contract/message.ts";
import type { OutboxRow } from "#contract/outbox.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { renderWaiting, unrenderedPart } from "./unrendered.ts";

/**
 * What is said is first stored, part by part, and only then sent (drain.ts). This file decides which
 * rows there are; it never talks to a platform. Called inside the transaction that makes the words
 * true: the end of a turn, the effect of a command.
 */
export interface Prepared {
  /** Prefix of the parts' keys: the same words under the same key are stored once. */
  readonly key: string;
  readonly turnId: string | null;
  readonly message: OutboundMessage;
  readonly route: ReplyRoute;
  /** A message that is already on the screen and becomes the first part. */
  readonly replaces?: string;
}

/** Renders a message and stores its parts. Returns how many there are. */
export function prepare(ports: SessionPorts, item: Prepared): number {
  renderWaiting(ports);
  const channel = ports.channel(item.route);
  if (!channel) {
    ports.log.warn("outbox.no_channel", { channel: item.route.channel, key: item.key });
  }
  const parts = channel?.render(item.message, item.route) ?? [unrenderedPart(item.message)];
  parts.forEach((part, index) => {
    const edit =
      index === 0 && item.replaces !== undefined && (!channel || channel.edit !== undefined);
    ports.store.outbox.insert({
      key: `${item.key}:${index}`,
      turnId: item.turnId,
      kind: item.message.kind,
      mode: edit ? "edit" : "send",
      route: item.route,
      part,
      ...(edit && item.replaces !== undefined ? { messageId: item.replaces } : {}),
    });
  });
  return parts.length;
}

/** Short words from the system itself: the answer to a command, a notice. */
export function say(
  ports: SessionPorts,
  item: Omit<Prepared, "message"> & { readonly kind: "notice" | "command"; readonly text: string },
): void {
  const { kind, text, ...rest } = item;
  prepare(ports, { ...rest, message: { kind, text } });
}

/** Is nothing of this turn's answer still on its way? */
export function settled(rows: readonly OutboxRow[]): boolean {
  return rows.every((row) => row.status !== "prepared" && row.status !== "sending");
}

/** Of parts that were sent again only the newest try counts. */
export function latestTries(rows: readonly OutboxRow[]): OutboxRow[] {
  const newest = new Map<string, OutboxRow>();
  for (const row of rows) newest.set(partKey(row), row);
  return [...newest.values()];
}

/** The key of a part, whichever try of it the row is. */
export function partKey(row: OutboxRow): string {
  return row.key.replace(/:again:.*$/, "");
}

/**
 * What belongs together with a row, in its newest tries: all words of its turn, or all parts of one
 * answer to a command.
 */
export function saidWith(ports: SessionPorts, row: OutboxRow): OutboxRow[] {
  const { outbox } = ports.store;
  const rows =
    row.turnId === null
      ? outbox.withPrefix(partKey(row).replace(/:\d+$/, ":"))
      : outbox.ofTurn(row.turnId);
  return latestTries(rows.filter(isAnswer));
}

/** Rows whose arrival is not certain: what /again shows. */
export function uncertain(rows: readonly OutboxRow[]): OutboxRow[] {
  return rows.filter(({ status }) => status === "unknown" || status === "failed");
}

/** Words that somebody waits for: no previews, and nothing the system adds by itself. */
export function isAnswer({ kind }: OutboxRow): boolean {
  return kind === "final" || kind === "interim" || kind === "command";
}
