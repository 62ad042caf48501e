import type { InboxItem } from "#contract/inbox.ts";
import type { Turn } from "#contract/turn.ts";
import { planQueue, type QueueBatch } from "#core/queue/plan.ts";
import { commit } from "#core/state/fence.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { queueMode } from "#core/state/queue-mode.ts";
import { appendMessages, appendOverflow, fetchAttachments } from "./ingest.ts";
import type { Run } from "./run.ts";

/** More rows than any cap: what is over the cap is summarised, not ignored. */
export const WAITING_ROWS = 500;

/**
 * Messages that arrive while a turn runs join it at its next model call, if they would be answered
 * in the same place and come from somebody with the same rights. Others wait for their own turn.
 */
export function waitingToSteer(ports: SessionPorts, turn: Turn): QueueBatch<InboxItem> | null {
  const all = queueMode(ports) === "steer";
  const rows = ports.store.inbox
    .list("waiting", "message", WAITING_ROWS)
    .filter((item) => item.message.sender.isOwner === turn.detail.sender.isOwner)
    .filter((item) => all || item.extra.steer)
    .map((item) => (item.extra.steer ? { ...item, extra: {} } : item));
  const running = { route: turn.detail.route };
  const { cap } = ports.config.queue;
  return planQueue({ rows, running, mode: "steer", cap, now: ports.now() }).steer;
}

/** Takes what waits into the running turn. */
export async function joinWaiting(run: Run): Promise<void> {
  const { ports, runner } = run;
  const batch = waitingToSteer(ports, run.turn);
  if (!batch) return;
  const fetched = await fetchAttachments(ports, batch.rows);
  commit(ports, runner, run.turn.id, (turn) => {
    appendOverflow(ports, turn, batch.overflow);
    appendMessages(ports, turn, fetched);
    ports.store.inbox.mark(batch.seqs, "done", turn.id);
  });
  ports.live.bind(batch.seqs, run.turn.id);
}
