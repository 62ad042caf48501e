import { describeError } from "#kit/redact.ts";
import { inReach } from "#kit/in-reach.ts";
import { isOneOff } from "#core/routing/session-key.ts";
import { forgetSkips } from "#core/state/memory-switch.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { getSetting, setSetting } from "#core/state/settings.ts";
import { captureNew } from "./capture-new.ts";
import { noteClosings } from "./closing-notes.ts";
import { flushWindows } from "./flush-notes.ts";
import { handOverTranscript } from "./hand-over-transcript.ts";

/**
 * Gives the agent's memory what this conversation owes it: sentences worth keeping, the last exchange
 * of an ended context, the transcript in batches. Each is a stored fact that stays until it is done, each
 * may be done twice, and none of it is waited for: it runs beside the alarm, so that an agent that hangs
 * delays no answer.
 */
const FIRST_RETRY_MS = 30_000;
const LONGEST_RETRY_MS = 6 * 3_600_000;
/** When to look whether the work that is under way has ended. */
const LOOK_AGAIN_MS = 60_000;

/** When there is something to do next; null = nothing is owed. */
export function memoryAt(ports: SessionPorts): number | null {
  if (!isOwed(ports)) return null;
  const now = ports.now();
  if (ports.live.keepingMemory) return now + LOOK_AGAIN_MS;
  return Math.max(now, retryAt(ports));
}

function isOwed({ config, store: { settings } }: SessionPorts): boolean {
  if (!config.memory.enabled) return false;
  return (
    getSetting(settings, "captureDue") === true ||
    getSetting(settings, "handOverDue") === true ||
    (getSetting(settings, "closings") ?? []).length > 0 ||
    (getSetting(settings, "flushes") ?? []).length > 0
  );
}

function retryAt({ now, store: { settings } }: SessionPorts): number {
  return inReach(getSetting(settings, "memoryRetryAt") ?? 0, now(), LONGEST_RETRY_MS);
}

/** Begins what is due, if nothing is under way; comes back at once. */
export function startKeeping(ports: SessionPorts): void {
  const { live, now } = ports;
  if (live.keepingMemory || !isOwed(ports) || retryAt(ports) > now()) return;
  live.keepingMemory = true;
  ports.background(
    keepMemory(ports).finally(() => {
      live.keepingMemory = false;
    }),
  );
}

/** All of it now, for dreaming: also what would still be waited for. Never rejects. */
export async function handOverNow(ports: SessionPorts): Promise<void> {
  if (!ports.config.memory.enabled || isOneOff(ports.key)) return;
  setSetting(ports.store.settings, "handOverDue", true);
  await keepMemory(ports);
}

async function keepMemory(ports: SessionPorts): Promise<void> {
  const parts = [captureNew, noteClosings, handOverTranscript, flushWindows];
  let failed = false;
  for (const part of parts) {
    try {
      await part(ports);
    } catch (error) {
      failed = true;
      const fields = { session: ports.key, part: part.name, error: describeError(error) };
      ports.log.warn("memory.not_kept", fields);
    }
  }
  forgetSkips(ports);
  setFailures(ports, failed);
}

function setFailures({ now, store: { settings } }: SessionPorts, failed: boolean): void {
  const before = getSetting(settings, "memoryFailures") ?? 0;
  if (!failed && before === 0) return;
  const failures = failed ? before + 1 : 0;
  const wait = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 4 ** (failures - 1));
  setSetting(settings, "memoryFailures", failures);
  setSetting(settings, "memoryRetryAt", failed ? now() + wait : 0);
}
