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
  }
  return sessionId;
}

/** The present sessionId, made on first use. */
export function currentSessionId(ports: SessionPorts): string {
  return getSetting(ports.store.settings, "sessionId") ?? resetSession(ports);
}
