import { isOneOff } from "#core/routing/session-key.ts";
import type { SessionPorts } from "./ports.ts";
import { getSetting, setSetting } from "./settings.ts";

/**
 * A session key outlives its contexts: a reset gives a fresh sessionId and an empty window. Nothing
 * is deleted; the old entries stay under their own id. Call inside a transaction.
 */
export function resetSession(ports: SessionPorts): string {
  const { settings } = ports.store;
  const previous = getSetting(settings, "sessionId");
  const sessionId = ports.newId();
  setSetting(settings, "sessionId", sessionId);
  setSetting(settings, "sessionStartedAt", ports.now());
  setSetting(settings, "historyFrom", 0);
  setSetting(settings, "historyTokens", 0);
  setSetting(settings, "leftOut", 0);
  if (previous !== undefined) {
    const waiting = getSetting(settings, "toArchive") ?? [];
    setSetting(settings, "toArchive", [...waiting, previous]);
    oweClosing(ports, previous);
  }
  return sessionId;
}

/** What was said last is noted, and the transcript handed over; a conversation of one request has no next. */
function oweClosing(ports: SessionPorts, sessionId: string): void {
  const { settings } = ports.store;
  if (!ports.config.memory.enabled || isOneOff(ports.key)) return;
  // No turn of an owner's own has ended here yet.
  if (getSetting(settings, "memoryBacklog") === undefined) return;
  setSetting(settings, "closings", [...(getSetting(settings, "closings") ?? []), sessionId]);
  setSetting(settings, "handOverDue", true);
}

/** The present sessionId, made on first use. */
export function currentSessionId(ports: SessionPorts): string {
  return getSetting(ports.store.settings, "sessionId") ?? resetSession(ports);
}
