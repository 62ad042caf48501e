import type { Turn } from "#contract/turn.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { getSetting, setSetting } from "#core/state/settings.ts";
import { keepsMemory } from "./memory-due.ts";
import { windowIsTainted } from "./taint.ts";

/**
 * The one thing to call before a part of a conversation leaves the model's window, whatever takes it out:
 * what lasts in it is to be noted. It only writes down that this is owed, once for each part. The part stays
 * in the transcript, so asking a model for it (core/session/flush-notes.ts) can come afterwards and holds up
 * nothing.
 */
export interface LeavingWindow {
  /** Entries from `from` up to, and without, `until`. */
  readonly from: number;
  readonly until: number;
}

export function oweFlush(ports: SessionPorts, turn: Turn, leaving: LeavingWindow): void {
  if (!keepsMemory(ports, turn) || leaving.from >= leaving.until) return;
  const { settings } = ports.store;
  const known = getSetting(settings, "flushes") ?? [];
  const from = Math.max(leaving.from, known.at(-1)?.until ?? 0);
  if (from >= leaving.until) return;
  const last = known.at(-1);
  // Others' words are what pushes it out, or may be: then it would not have left, and not be noted, without them.
  const tainted = windowIsTainted(ports, turn);
  const follows =
    last?.sessionId === turn.sessionId &&
    last.until === from &&
    (last.tainted ?? false) === tainted;
  const added = { sessionId: turn.sessionId, from, until: leaving.until, tainted };
  setSetting(
    settings,
    "flushes",
    follows ? [...known.slice(0, -1), { ...last, until: added.until }] : [...known, added],
  );
}
