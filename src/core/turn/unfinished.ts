import type { InboxItem } from "#contract/inbox.ts";
import type { JournalRow, Turn } from "#contract/turn.ts";
import { estimateTokens } from "#kit/tokens.ts";
import { gatherUnits, unitMessages } from "#core/queue/unit.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { appendMessages } from "./ingest.ts";
import { appendResults } from "./tool-results.ts";

/**
 * What a turn leaves half done when it ends before its time. Messages whose files were still being
 * fetched are written down without them; calls of an unfinished batch get a result each, those that
 * ran the true one. So the transcript is whole, and the next turn knows what happened.
 */
export function closeUnfinished(ports: SessionPorts, turn: Turn): void {
  if (turn.phase === "ingest") keepTaken(ports, turn);
  if (turn.phase === "tools") closeCalls(ports, turn);
}

function keepTaken(ports: SessionPorts, turn: Turn): void {
  const taken = ports.store.inbox.ofTurn(turn.id).filter((item) => item.status === "taken");
  // What a second try takes up has been written down by the first.
  if (turn.detail.retries === undefined) appendUnread(ports, turn, taken);
  const seqs = taken.map((item) => item.seq);
  ports.store.inbox.mark(seqs, "done", turn.id);
}

/** Writes messages down as they came, their files unread. */
export function appendUnread(ports: SessionPorts, turn: Turn, taken: readonly InboxItem[]): void {
  const messages = gatherUnits(taken).flatMap(unitMessages);
  const unread = messages.map((item) => ({
    item,
    attachments: item.message.attachments.map((attachment, index) => {
      const text = `[${attachment.kind} ${index + 1}: not read]`;
      const parts = [{ type: "text" as const, text }];
      return { attachment, parts, tokens: estimateTokens(text), chars: 0 };
    }),
  }));
  appendMessages(ports, turn, unread);
}

function closeCalls(ports: SessionPorts, turn: Turn): void {
  const rows = ports.store.journal.ofStep(turn.id, turn.step).filter((row) => row.kind === "tool");
  const results = rows.map((row) => ({
    callId: row.callId ?? "",
    name: row.name ?? "",
    text: row.output?.text ?? leftText(row),
    isError: row.output?.isError ?? true,
  }));
  appendResults(ports, turn, rows, results);
}

function leftText(row: JournalRow): string {
  return row.status === "started"
    ? "The turn ended while this ran; whether it took effect is unknown."
    : "Not run: the turn ended before.";
}
