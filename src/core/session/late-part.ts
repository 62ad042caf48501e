import type { InboundMessage } from "#contract/message.ts";
import type { Turn } from "#contract/turn.ts";
import { sameRoute } from "#core/queue/row.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { currentSessionId } from "#core/state/reset.ts";
import { appendUnread } from "#core/turn/unfinished.ts";

/**
 * The parts of an album come one by one. One that comes after its album was stopped belongs to what was
 * stopped: it starts no turn of its own, and /again reads it with the rest. Where /again would not find
 * it any more, since something else was asked or a conversation begun, it is a message like any other.
 * Inside the transaction that has stored it as `seq`. False: it is no such part.
 */
export function joinStopped(ports: SessionPorts, seq: number, message: InboundMessage): boolean {
  const { inbox, turns } = ports.store;
  if (message.albumId === undefined) return false;
  const turn = turns.latest();
  if (turn?.status !== "aborted" || turn.detail.outcome?.reason !== "stopped") return false;
  if (turn.sessionId !== currentSessionId(ports) || !hasAlbum(ports, turn, message)) return false;
  inbox.mark([seq], "done", turn.id);
  const part = inbox.ofTurn(turn.id).filter((item) => item.seq === seq);
  appendUnread(ports, turn, part);
  if (turn.phase !== "ingest") {
    const late = [...(turn.detail.late ?? []), seq];
    turns.update(turn.id, { detail: { ...turn.detail, late } });
  }
  return true;
}

/** Did another part of it come with the turn, or with one that it tries again? */
function hasAlbum(ports: SessionPorts, { id, detail }: Turn, part: InboundMessage): boolean {
  return [...(detail.retries ?? []), id]
    .flatMap((turnId) => ports.store.inbox.ofTurn(turnId))
    .some(
      ({ message }) =>
        message.albumId === part.albumId &&
        message.sender.id === part.sender.id &&
        sameRoute(message.route, part.route),
    );
}
