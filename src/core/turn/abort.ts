import type { JournalRow, Turn } from "#contract/turn.ts";
import { estimateTokens } from "#kit/tokens.ts";
import type { SessionPorts } from "#core/session/ports.ts";
import { endTurn } from "./finish.ts";
import { appendEntry } from "./ingest.ts";
import { appendResults } from "./results.ts";

/**
 * Ends the running turn before its time (`/stop`, `/new`, a message in interrupt mode). What was
 * already said and done stays in its session; calls that were under way are recorded as of unknown
 * outcome. Inside a transaction; the caller interrupts the step in memory afterwards.
 */
export function abortTurn(ports: SessionPorts, turn: Turn, reason: string): void {
  if (turn.phase === "tools") closeCalls(ports, turn);
  else keepPartialAnswer(ports, turn);
  releaseUnread(ports, turn);
  endTurn(ports, turn, { status: "aborted", text: "", reason });
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
    ? "Stopped by the person while it ran; whether it took effect is unknown."
    : "Not run: stopped by the person.";
}

function keepPartialAnswer(ports: SessionPorts, turn: Turn): void {
  const { partial } = ports.live;
  if (partial?.turnId !== turn.id || partial.text.trim() === "") return;
  appendEntry(ports, {
    sessionId: turn.sessionId,
    turnId: turn.id,
    at: ports.now(),
    role: "assistant",
    trust: "agent",
    tokens: estimateTokens(partial.text),
    content: [{ type: "text", text: partial.text }],
    status: "aborted",
  });
}

/** Messages whose attachments were still being fetched go back to the queue. */
function releaseUnread(ports: SessionPorts, turn: Turn): void {
  if (turn.phase !== "ingest") return;
  const taken = ports.store.inbox.ofTurn(turn.id).filter((item) => item.status === "taken");
  const seqs = taken.map((item) => item.seq);
  ports.store.inbox.mark(seqs, "waiting", null);
}
