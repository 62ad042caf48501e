import type { InboundMessage } from "#contract/message.ts";
import { sameRoute } from "#core/queue/row.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { appendUnread } from "#core/turn/unfinished.ts";

/**
 * The parts of an album come one by one. One that comes after its album was stopped belongs to what was
 * stopped: it starts no turn of its own, and /again reads it with the rest. Inside the transaction that
 * has stored it as `seq`. False: it is no such part.
 */
export function joinStopped(ports: SessionPorts, seq: number, message: InboundMessage): boolean {
  if (message.albumId === undefined) return false;
  const turn = ports.store.turns.latest();
  const stopped = turn?.status === "aborted" && turn.detail.outcome?.reason === "stopped";
  if (!turn || !stopped || turn.phase !== "ingest") return false;
  const album = ports.store.inbox
    .ofTurn(turn.id)
    .some(
      (item) =>
        item.message.albumId === message.albumId &&
        item.message.sender.id === message.sender.id &&
        sameRoute(item.message.route, message.route),
    );
  if (!album) return false;
  ports.store.inbox.mark([seq], "done", turn.id);
  const part = ports.store.inbox.ofTurn(turn.id).filter((item) => item.seq === seq);
  appendUnread(ports, turn, part);
  return true;
}
