import type { PutAwayAnswer } from "#contract/session-rpc.ts";
import { isOneOff } from "#core/routing/session-key.ts";
import { isPinnedHere } from "#core/state/pinned.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { resetSession } from "#core/state/reset.ts";
import { getSetting, setSetting } from "#core/state/settings.ts";
import { lastUsedAt, UNUSED_MS } from "./last-used.ts";
import { oweTranscript, putAwayPart } from "./put-away.ts";
import { nextWorkAt, openWorkAt } from "./work.ts";

/**
 * The agent has more conversations than it keeps, and this one is long unused: its context ends as at a
 * reset, so that the memory gets what it is owed; then its whole transcript goes to the archive, and then
 * the rows of what is done. The settings stay, so that whoever writes here again is known. Each call does a
 * part; a message that comes in between is answered in the new context.
 */
const PARTS = 5;

export async function leave(ports: SessionPorts): Promise<PutAwayAnswer> {
  const { live, store } = ports;
  if (isOneOff(ports.key) || isPinnedHere(ports) !== null || isInUse(ports)) return "kept";
  if (live.puttingAway) return "more";
  if (nextWorkAt(ports) === null) endContext(ports);
  if (isOwed(ports)) return "more";
  for (let part = 0; part < PARTS; part += 1) {
    const wasMore = await putAwayPart(ports, true);
    if (isInUse(ports)) return "kept";
    if (!wasMore) {
      store.clearDone(ports.now() - UNUSED_MS);
      return "away";
    }
  }
  return "more";
}

/** Something is open, or somebody has written lately. */
function isInUse(ports: SessionPorts): boolean {
  return openWorkAt(ports) !== null || lastUsedAt(ports) >= ports.now() - UNUSED_MS;
}

/** Memory or archive must have something first: the alarm sees to it. */
function isOwed(ports: SessionPorts): boolean {
  oweTranscript(ports);
  const at = nextWorkAt(ports);
  if (at !== null) ports.store.setAlarm(Math.max(at, ports.now()));
  return at !== null;
}

/** As at a reset, if anything was said in it. */
function endContext(ports: SessionPorts): void {
  const { settings, transcript } = ports.store;
  const sessionId = getSetting(settings, "sessionId");
  if (sessionId === undefined || transcript.tail(sessionId, 1).length === 0) return;
  ports.store.transaction(() => setSetting(settings, "resumedIn", resetSession(ports)));
}
