import { describeError } from "#kit/redact.ts";
import { archiveDue } from "./archive.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { forgetOld } from "./retention.ts";

/**
 * What a session does when nothing is open: forget what is long done, and write ended contexts away.
 * Nothing here may fail a message: never rejects.
 */
const TIDY_EVERY_MS = 60_000;

export async function housekeeping(ports: SessionPorts): Promise<void> {
  try {
    if (ports.now() - ports.live.tidiedAt >= TIDY_EVERY_MS) {
      forgetOld(ports);
      ports.live.tidiedAt = ports.now();
    }
  } catch (error) {
    // Tried again at the next rest.
    ports.log.warn("session.housekeeping", { session: ports.key, error: describeError(error) });
  }
  await archiveDue(ports);
}
