import type { TurnEvent } from "#contract/turn.ts";
import { endedEvent, endedWithoutTurn } from "#core/turn/ended.ts";
import { commandText } from "./command-run.ts";
import { messageTopic } from "#core/state/live.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { UNREADABLE } from "./unreadable.ts";

/**
 * Tells what becomes of one message until its turn has ended; whoever comes late gets the end at
 * once. A view: if the listener is lost, nothing else is, one asks again. Returns how to stop.
 */
export function watchMessage(
  ports: SessionPorts,
  seq: number,
  listener: (event: TurnEvent) => void,
): () => void {
  const past = endedAlready(ports, seq);
  if (past) {
    listener(past);
    return () => {};
  }
  const turnId = ports.store.inbox.get(seq)?.turnId;
  const stop = ports.live.watch(turnId ?? messageTopic(seq), (event) => {
    listener(event);
    if (event.type === "ended") stop();
  });
  return stop;
}

function endedAlready(ports: SessionPorts, seq: number): TurnEvent | null {
  const item = ports.store.inbox.get(seq);
  if (!item)
    return endedWithoutTurn("failed", "This message is no longer known.", "unknown_message");
  if (item.kind === "command" && item.turnId === null) {
    return item.status === "done"
      ? endedWithoutTurn("done", commandText(ports, seq), "command")
      : null;
  }
  const turn = item.turnId ? ports.store.turns.get(item.turnId) : null;
  if (turn) return turn.status === "running" ? null : endedEvent(turn);
  if (item.status !== "done") return null;
  // A turn that is gone before its message was not readable.
  if (item.turnId) return endedWithoutTurn("failed", UNREADABLE, "internal");
  return endedWithoutTurn("aborted", "", "set_aside");
}
