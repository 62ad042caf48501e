import type { SessionPorts } from "#core/state/ports.ts";
import { getSetting, setSetting } from "#core/state/settings.ts";

/**
 * What a conversation forgets by itself: rows that only served to get a message answered once. The
 * transcript stays. Each call removes a bounded number of rows through an index, so that the cost of a
 * message does not grow with history; what is left over goes with the next call.
 */
const DAY_MS = 24 * 3_600_000;
/** Platforms deliver again for a day at most. */
const MESSAGES_KEPT_MS = 7 * DAY_MS;
const TURNS_KEPT_MS = 30 * DAY_MS;
/** What the memory is to have of a conversation that goes on too slowly to hand over by itself. */
const OWED_KEPT_MS = 20 * DAY_MS;

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
  // Whose words an entry is, its turn says: the memory must have had it before.
  if (owesSince(ports, now - OWED_KEPT_MS)) setSetting(settings, "handOverDue", true);
  else turns.prune(now - TURNS_KEPT_MS);
  usage.prune(now - TURNS_KEPT_MS, getSetting(settings, "sessionId") ?? "");
}

/** Was anything said before then that the memory has not been given? */
function owesSince({ config, store }: SessionPorts, before: number): boolean {
  const { settings, transcript } = store;
  const lines = getSetting(settings, "memoryBacklog")?.lines ?? 0;
  if (!config.memory.enabled || lines === 0) return false;
  const [first] = transcript.page(getSetting(settings, "handedSeq") ?? 0, 1);
  return first !== undefined && first.at < before;
}
