import type { OutboxRow } from "#contract/outbox.ts";
import type { SessionPorts } from "#core/session/ports.ts";
import { latestTries, say, settled, uncertain } from "./outbox.ts";

/**
 * The one thing a restart or a refusal may add to a conversation: a short word, after the last part
 * of an answer, that some of it may not have arrived. Notices and command answers get none.
 */
export function noticeOf(ports: SessionPorts, row: OutboxRow): void {
  if (row.turnId === null || row.kind !== "final") return;
  const finals = ports.store.outbox.ofTurn(row.turnId).filter((each) => each.kind === "final");
  const rows = latestTries(finals);
  if (!settled(rows)) return;
  const lost = uncertain(rows);
  if (lost.length === 0) return;
  say(ports, {
    key: `${row.turnId}:notice:${attemptOf(row)}`,
    turnId: row.turnId,
    kind: "notice",
    text: noticeText(lost, rows.length),
    route: row.route,
  });
}

/** Parts that /again sent carry its number in their key: each round may have its own notice. */
function attemptOf(row: OutboxRow): string {
  const match = /:again:([^:]+)/.exec(row.key);
  return match?.[1] ?? "0";
}

function noticeText(lost: readonly OutboxRow[], total: number): string {
  const whole = lost.length === total;
  const refused = lost.find((row) => row.status === "failed");
  if (refused) {
    const reason = refused.error ? ` (${refused.error})` : "";
    return `${whole ? "My last answer was" : "Part of my last answer was"} not accepted here${reason}. /again tries once more.`;
  }
  return `${whole ? "My last answer" : "Part of my last answer"} may not have arrived. /again shows it.`;
}
