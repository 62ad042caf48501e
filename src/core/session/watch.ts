import type { Turn, TurnEvent } from "#contract/turn.ts";
import { commandText } from "./command-run.ts";
import { messageTopic } from "./live.ts";
import type { SessionPorts } from "./ports.ts";

const noUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

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
  if (!item) return ended("failed", "This message is no longer known.", "unknown_message");
  if (item.kind === "command" && item.turnId === null) {
    return item.status === "done" ? ended("done", commandText(ports, seq), "command") : null;
  }
  const turn = item.turnId ? ports.store.turns.get(item.turnId) : null;
  if (turn) return turnEnd(turn);
  return item.status === "done" ? ended("aborted", "", "set_aside") : null;
}

function turnEnd(turn: Turn): TurnEvent | null {
  if (turn.status === "running") return null;
  if (turn.detail.parked) return ended("parked", turn.detail.parked.question, "question");
  const { outcome, usage } = turn.detail;
  return {
    ...ended(turn.status, outcome?.text ?? "", outcome?.reason ?? "end"),
    turnId: turn.id,
    usage: usage ?? noUsage,
  };
}

type Ended = Extract<TurnEvent, { type: "ended" }>;

function ended(status: Ended["status"], text: string, reason: string): Ended {
  return { type: "ended", turnId: "", status, text, usage: noUsage, reason };
}
