import { describeError } from "#kit/redact.ts";
import { archiveEnded } from "./archive.ts";
import { expire } from "./expire.ts";
import type { SessionPorts } from "./ports.ts";
import { forgetOld } from "./retention.ts";

/**
 * What a session does when nothing is open: write ended contexts away, forget what is long done, and
 * in the end itself, if it was made for one request. Nothing here may fail a message: what does not
 * work now is tried again at the next rest.
 */
const TIDY_EVERY_MS = 60_000;

export async function housekeeping(ports: SessionPorts, isIdle: () => boolean): Promise<void> {
  try {
    if (ports.now() - ports.live.tidiedAt >= TIDY_EVERY_MS) {
      forgetOld(ports);
      ports.live.tidiedAt = ports.now();
    }
    await archiveEnded(ports);
  } catch (error) {
    ports.log.warn("session.housekeeping", { session: ports.key, error: describeError(error) });
  }
  await expire(ports, isIdle);
}
