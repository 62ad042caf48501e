import type { Turn } from "#contract/turn.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { getSetting, setSetting } from "#core/state/settings.ts";
import { keepsMemory } from "./memory-due.ts";

/**
 * The one thing to call before a part of a conversation leaves the model's window, whatever takes it out:
 * what lasts in it is noted before it is forgotten. It only writes down that this is owed, once for each
 * part; asking a model for it (core/session/flush-notes.ts) comes afterwards and holds up nothing.
 */
export interface LeavingWindow {
  /** Entries from `from` up to, and without, `until`. */
  readonly from: number;
  readonly until: number;
}

/** More are not waited for: the transcript is handed over in any case. */
const MOST = 3;

export function oweFlush(ports: SessionPorts, turn: Turn, leaving: LeavingWindow): void {
  if (!keepsMemory(ports, turn) || leaving.from >= leaving.until) return;
  const { settings } = ports.store;
  const known = getSetting(settings, "flushes") ?? [];
  const from = Math.max(leaving.from, known.at(-1)?.until ?? 0);
  if (from >= leaving.until) return;
  const added = { sessionId: turn.sessionId, from, until: leaving.until };
  setSetting(settings, "flushes", [...known, added].slice(-MOST));
}
