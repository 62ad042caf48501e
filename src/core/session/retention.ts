import type { SessionPorts } from "#core/state/ports.ts";
import { getSetting } from "#core/state/settings.ts";

/**
 * What a conversation forgets by itself: rows that only served to get a message answered once. The
 * transcript stays. Each call removes a bounded number of rows through an index, so that the cost of a
 * message does not grow with history; what is left over goes with the next call.
 */
const DAY_MS = 24 * 3_600_000;
/** Platforms deliver again for a day at most. */
const MESSAGES_KEPT_MS = 7 * DAY_MS;
const TURNS_KEPT_MS = 30 * DAY_MS;

/** After a message that starts nothing: no alarm comes that could do it. */
export function forgetMessages(ports: SessionPorts): void {
  ports.store.inbox.prune(ports.now() - MESSAGES_KEPT_MS);
}

export function forgetOld(ports: SessionPorts): void {
  const { journal, outbox, settings, turns, usage } = ports.store;
  forgetMessages(ports);
  const now = ports.now();
  journal.prune(now - MESSAGES_KEPT_MS);
  outbox.prune(now - MESSAGES_KEPT_MS);
  turns.prune(now - TURNS_KEPT_MS);
  usage.prune(now - TURNS_KEPT_MS, getSetting(settings, "sessionId") ?? "");
}
