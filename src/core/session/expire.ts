import { describeError } from "#kit/redact.ts";
import { parseSessionKey } from "#core/routing/session-key.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { getSetting, setSetting } from "#core/state/settings.ts";

/**
 * A caller of the API who names no conversation gets one for the request, and nobody ever comes back to
 * it but that caller's own retries. Two days after the last of them it deletes itself with everything in
 * it. No other kind of session ends by itself.
 */
const KEPT_MS = 2 * 24 * 3_600_000;
const RETRY_MS = 3_600_000;

/** Called when nothing is open. `isIdle` is asked again after each wait: a message may have come. */
export async function expire(ports: SessionPorts, isIdle: () => boolean): Promise<void> {
  if (parseSessionKey(ports.key)?.scope.kind !== "api-once") return;
  // Whatever is open has set the alarm, and it must not be moved away.
  if (!isIdle()) return;
  const at = expiresAt(ports);
  if (at > ports.now()) {
    ports.store.setAlarm(at);
    return;
  }
  const { settings } = ports.store;
  // A message that comes from here on tells the agent of this session again, and so raises the mark.
  setSetting(settings, "busy", false);
  const mark = getSetting(settings, "busyMark");
  try {
    await ports.agent.forgetSession(ports.key);
  } catch (error) {
    ports.log.warn("session.not_expired", { session: ports.key, error: describeError(error) });
    if (isIdle()) ports.store.setAlarm(ports.now() + RETRY_MS);
    return;
  }
  if (!isIdle()) return;
  if (getSetting(settings, "busyMark") === mark) await ports.erase();
  else ports.store.setAlarm(ports.now() + RETRY_MS);
}

/** Milliseconds since the epoch; in the past when nothing was ever said here. */
function expiresAt({ store }: SessionPorts): number {
  const turn = store.turns.latest();
  const lastTurn = turn?.endedAt ?? turn?.startedAt ?? 0;
  return Math.max(store.inbox.latestAt() ?? 0, lastTurn) + KEPT_MS;
}
