import { describeError } from "#kit/redact.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { getSetting, setSetting } from "#core/state/settings.ts";
import { archiveAt, archiveDue } from "./archive.ts";
import { lastUsedAt, UNUSED_MS } from "./last-used.ts";

/**
 * A caller of the API who names no conversation gets one for the request, and nobody ever comes back to
 * it but that caller's own retries. Two days after the last of them its transcript goes to R2, as at a
 * reset, and only then does it delete itself with everything in it. No other kind of session ends by
 * itself.
 */
const RETRY_MS = 3_600_000;

/** Called when nothing is open. `isIdle` is asked again after each wait: a message may have come. */
export async function expire(ports: SessionPorts, isIdle: () => boolean): Promise<void> {
  // Whatever is open has set the alarm, and it must not be moved away.
  if (!isIdle()) return;
  if (!isDue(ports)) return;
  try {
    await archiveLast(ports);
    const again = archiveAt(ports);
    if (again !== null) ports.store.setAlarm(Math.max(again, ports.now()));
    // A message may have come, and even been answered, meanwhile.
    if (!isIdle() || !isDue(ports)) return;
    await leave(ports, isIdle);
  } catch (error) {
    ports.log.warn("session.not_expired", { session: ports.key, error: describeError(error) });
    if (isIdle()) ports.store.setAlarm(ports.now() + RETRY_MS);
  }
}

/** If not, the alarm is set to when it will be. */
function isDue(ports: SessionPorts): boolean {
  const at = expiresAt(ports);
  if (at <= ports.now()) return true;
  ports.store.setAlarm(at);
  return false;
}

/** The context that no reset has ended. Its objects have names that repeat, so a second try is harmless. */
async function archiveLast(ports: SessionPorts): Promise<void> {
  const { settings } = ports.store;
  const last = getSetting(settings, "sessionId");
  if (last !== undefined) {
    const waiting = getSetting(settings, "toArchive") ?? [];
    setSetting(settings, "toArchive", [...new Set([...waiting, last])]);
  }
  await archiveDue(ports);
}

/** Throws when the agent cannot be told. */
async function leave(ports: SessionPorts, isIdle: () => boolean): Promise<void> {
  const { settings } = ports.store;
  // A message that comes from here on tells the agent of this session again, and so raises the mark.
  setSetting(settings, "busy", false);
  const mark = getSetting(settings, "busyMark");
  await ports.agent.forgetSession(ports.key);
  if (!isIdle()) return;
  if (getSetting(settings, "busyMark") === mark) await ports.erase();
  else ports.store.setAlarm(ports.now() + RETRY_MS);
}

/** Milliseconds since the epoch; in the past when nothing was ever said here. */
function expiresAt(ports: SessionPorts): number {
  return lastUsedAt(ports) + UNUSED_MS;
}
