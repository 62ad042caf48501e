import type { Trust } from "#contract/transcript.ts";
import type { Turn } from "#contract/turn.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { getSetting } from "#core/state/settings.ts";

/** Is anything untrusted among the entries that the model is shown? */
export function windowIsTainted(ports: SessionPorts, turn: Pick<Turn, "sessionId">): boolean {
  const from = getSetting(ports.store.settings, "historyFrom") ?? 0;
  return ports.store.transcript.tainted(turn.sessionId, from);
}

/** The trust of what the model writes now: no better than what it has read. */
export function modelTrust(ports: SessionPorts, turn: Pick<Turn, "sessionId">): Trust {
  return windowIsTainted(ports, turn) ? "untrusted" : "agent";
}
