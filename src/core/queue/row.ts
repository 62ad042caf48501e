import type { InboxItem } from "#contract/inbox.ts";
import type { ReplyRoute } from "#contract/message.ts";

/** What the queue looks at in a waiting message. `extra` sets it apart: it was sent for a turn of its own. */
export type QueueRow = Pick<InboxItem, "seq" | "kind" | "message" | "receivedAt" | "notBefore"> &
  Partial<Pick<InboxItem, "extra">>;

/** Would both be answered in the same place? */
export function sameRoute(a: ReplyRoute, b: ReplyRoute): boolean {
  return (
    a.channel === b.channel &&
    a.account === b.account &&
    a.conversation === b.conversation &&
    a.thread === b.thread
  );
}

/** One-off history, instructions or a model of its own: never joined with other messages. */
export function standsAlone(row: QueueRow): boolean {
  return Object.values(row.extra ?? {}).some((value) => value !== undefined);
}
