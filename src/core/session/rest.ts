import { isOneOff } from "#core/routing/session-key.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { expire } from "./expire.ts";
import { putAwayOld } from "./put-away.ts";

/**
 * What a session does when nothing waits for anything: one of a single request ends by itself, any other
 * puts away what is old. Both set the alarm to when they have something to do, if they ever will.
 */
export function rest(ports: SessionPorts, isIdle: () => boolean): Promise<void> {
  return isOneOff(ports.key) ? expire(ports, isIdle) : putAwayOld(ports, isIdle);
}
