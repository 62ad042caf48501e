import type { InboxItem } from "#contract/inbox.ts";
import { isAnswer, latestTries, partKey, settled, uncertain } from "#core/delivery/outbox.ts";
import { retryTurn } from "#core/turn/start.ts";
import type { OutboxRow } from "#contract/outbox.ts";
import type { CommandChange } from "./command-run.ts";
import type { SessionPorts } from "./ports.ts";
import { currentSessionId } from "./reset.ts";

/**
 * `/again`: shows what may not have arrived of the last answer; tries a failed or stopped turn once
 * more; else shows the last answer again. Nothing that surely arrived is sent twice uninvited.
 */
export function againChange(ports: SessionPorts, item: InboxItem): CommandChange {
  return () => {
    const turn = ports.store.turns.latest();
    if (!turn) return { text: "There is no answer yet to show again." };
    if (turn.status === "running") return { text: "I am still working on it." };
    const rows = latestTries(ports.store.outbox.ofTurn(turn.id).filter(isAnswer));
    if (!settled(rows)) return { text: "It is on its way." };
    const missing = uncertain(rows);
    if (missing.length > 0) return resend(ports, missing, item.seq);
    if (turn.status === "failed" || turn.status === "aborted") {
      if (turn.sessionId !== currentSessionId(ports)) {
        return { text: "That was in an earlier conversation. Send the message again." };
      }
      retryTurn(ports, turn);
      ports.store.setAlarm(ports.now());
      return { text: "" };
    }
    const answer = rows.filter((row) => row.status === "sent");
    if (answer.length === 0) return { text: "The last turn had no answer to show." };
    return resend(ports, answer, item.seq);
  };
}

function resend(ports: SessionPorts, rows: readonly OutboxRow[], seq: number) {
  for (const row of rows) {
    ports.store.outbox.insert({
      key: `${partKey(row)}:again:${seq}`,
      turnId: row.turnId,
      kind: row.kind,
      mode: "send",
      route: row.route,
      part: row.part,
    });
  }
  return { text: "" };
}
