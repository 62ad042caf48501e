import { sha256Hex } from "#kit/sha256.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { getSetting, setSetting } from "#core/state/settings.ts";

/**
 * Ids for the frame around text from outside (kit/external-content.ts): nobody outside can know them,
 * and the same place of the same conversation always has the same one, so that a request's front stays
 * as it was cached.
 */
export function frameSecret({ store, newId }: SessionPorts): string {
  const known = getSetting(store.settings, "frameSecret");
  if (known !== undefined) return known;
  const secret = newId();
  setSetting(store.settings, "frameSecret", secret);
  return secret;
}

/** 16 hexadecimal digits. */
export function frameId(secret: string, place: string | number): string {
  return sha256Hex(`${secret}:${place}`).slice(0, 16);
}
