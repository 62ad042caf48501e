import type { OutboxRow } from "#contract/outbox.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { isAnswer, saidWith, say, settled, uncertain } from "./outbox.ts";

/**
 * The one thing a restart or a refusal may add to a conversation: a short word, after the last part
 * of an answer, that some of it may not have arrived. It covers all of a turn's words, those said on
 * the way too, and the answers to commands; notices and previews get none.
 */
export function noticeOf(ports: SessionPorts, row: OutboxRow): void {
  if (!isAnswer(row)) return;
  // A running turn has more to say: one notice in the end is enough.
  if (row.turnId !== null && ports.store.turns.get(row.turnId)?.status === "running") return;
  announce(ports, saidWith(ports, row));
}

/** For a turn that ends without a word, when what it said on the way may be missing. */
export function noticeAtEnd(ports: SessionPorts, turnId: string): void {
  const row = ports.store.outbox.ofTurn(turnId).find(isAnswer);
  if (row) announce(ports, saidWith(ports, row));
}

/** Is this the word that something may be missing? */
export function isLossNotice(row: OutboxRow): boolean {
  return row.kind === "notice" && row.key.startsWith(LOST);
}

const LOST = "lost:";

function announce(ports: SessionPorts, rows: readonly OutboxRow[]): void {
  const lost = uncertain(rows);
  const newest = lost.at(-1);
  if (!newest || !settled(rows)) return;
  say(ports, {
    // Each try that was lost is told of once.
    key: `${LOST}${newest.seq}`,
    turnId: newest.turnId,
    kind: "notice",
    text: noticeText(lost, rows.length),
    route: newest.route,
  });
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
