import { say } from "#core/delivery/outbox.ts";
import { endedWithoutTurn } from "#core/turn/ended.ts";
import { messageTopic } from "#core/state/live.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { getSetting } from "#core/state/settings.ts";

/** What a turn or message that cannot be read says instead of an answer. */
export const UNREADABLE =
  "Something stored in this conversation cannot be read any more, so I set it aside. Please say it again.";

/**
 * Rows that a message, a turn or a send consists of and that cannot be read (damaged, or of another
 * version) are closed with a word to the conversation, so that what comes after them goes on.
 */
export function endUnreadable(ports: SessionPorts): void {
  const [first] = ports.store.unreadable();
  if (!first) return;
  const rows = ports.store.transaction(() => {
    const closed = ports.store.closeUnreadable();
    const turns = closed.filter(({ table }) => table === "turn");
    for (const { id } of turns) {
      const taken = ports.store.inbox.ofTurn(id).filter(({ status }) => status === "taken");
      const seqs = taken.map(({ seq }) => seq);
      ports.store.inbox.mark(seqs, "done", id);
    }
    const route = getSetting(ports.store.settings, "lastRoute");
    const key = `unreadable:${first.table}:${first.id}`;
    const heard = closed.some(({ table }) => table !== "usage");
    if (route && heard) say(ports, { key, turnId: null, kind: "notice", text: UNREADABLE, route });
    return closed;
  });
  const ended = endedWithoutTurn("failed", UNREADABLE, "internal");
  for (const { table, id } of rows) {
    if (table === "turn") ports.live.emit(id, ended);
    if (table === "inbox") ports.live.emit(messageTopic(Number(id)), ended);
  }
}
