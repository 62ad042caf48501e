import type { InboundMessage } from "#contract/message.ts";
import type { OutcomeReason } from "#contract/outcome.ts";
import type { Turn } from "#contract/turn.ts";
import { estimateTextMessage } from "#kit/tokens.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { endTurn } from "./finish.ts";
import { appendEntry } from "./ingest.ts";
import { modelTrust } from "./taint.ts";

export interface Abort {
  readonly reason: OutcomeReason;
  /** Messages whose files were still being fetched: `queue` = they get a turn of their own. */
  readonly unread: "queue" | "keep";
}

/**
 * Ends the running turn before its time (`/stop`, `/new`, a message in interrupt mode). What was
 * already said and done stays in its session; calls that were under way are recorded as of unknown
 * outcome. Inside a transaction; the caller interrupts the step in memory afterwards.
 */
export function abortTurn(ports: SessionPorts, turn: Turn, abort: Abort): void {
  const { reason } = abort;
  if (turn.phase === "model") keepPartialAnswer(ports, turn);
  if (abort.unread === "queue") releaseUnread(ports, turn);
  endTurn(ports, turn, { status: "aborted", text: "", reason });
}

function keepPartialAnswer(ports: SessionPorts, turn: Turn): void {
  const { partial } = ports.live;
  if (partial?.turnId !== turn.id || partial.text.trim() === "") return;
  appendEntry(ports, {
    sessionId: turn.sessionId,
    turnId: turn.id,
    at: ports.now(),
    role: "assistant",
    trust: modelTrust(ports, turn),
    tokens: estimateTextMessage(partial.text),
    content: [{ type: "text", text: partial.text }],
    status: "aborted",
  });
}

/**
 * Messages whose attachments were still being fetched go back to the queue; of those that a second try
 * took up, whose words have been written down, only the files.
 */
function releaseUnread(ports: SessionPorts, turn: Turn): void {
  if (turn.phase !== "ingest") return;
  const { inbox } = ports.store;
  const isSecondTry = turn.detail.retries !== undefined;
  const unread = inbox
    .ofTurn(turn.id)
    .filter((item) => item.status === "taken")
    .filter(({ message }) => !isSecondTry || message.attachments.length > 0);
  if (isSecondTry) {
    for (const { seq, message, extra } of unread) {
      inbox.becomeMessage(seq, filesOnly(message), extra);
    }
  }
  const seqs = unread.map((item) => item.seq);
  inbox.mark(seqs, "waiting", null);
  ports.live.release(turn.id, seqs);
}

function filesOnly(message: InboundMessage): InboundMessage {
  const { replyTo: _replyTo, action: _action, ...rest } = message;
  const attachments = message.attachments.map(({ caption: _caption, ...file }) => file);
  return { ...rest, text: "", attachments };
}
