import type { SessionPorts } from "./ports.ts";
import { getSetting, setSetting } from "./settings.ts";

/**
 * `/memory off` and `on` for one conversation. What is said in between is never taken over, also not
 * later; what was said before still is, since it was said with memory on. Inside a transaction.
 */
type Ports = Pick<SessionPorts, "store">;

export function switchMemoryOff({ store }: Ports): void {
  if (isMemoryOff({ store })) return;
  setSetting(store.settings, "memoryOff", store.transcript.latestSeq());
}

export function switchMemoryOn({ store: { settings, transcript } }: Ports): void {
  const since = getSetting(settings, "memoryOff");
  if (since === undefined) return;
  const skips = getSetting(settings, "memorySkips") ?? [];
  setSetting(settings, "memorySkips", [...skips, { from: since + 1, to: transcript.latestSeq() }]);
  settings.delete("memoryOff");
}

export function isMemoryOff({ store }: Ports): boolean {
  return getSetting(store.settings, "memoryOff") !== undefined;
}

/** Which entries were said with memory on. */
export function memoryFilter({ store: { settings } }: Ports): (seq: number) => boolean {
  const off = getSetting(settings, "memoryOff") ?? Number.POSITIVE_INFINITY;
  const skips = getSetting(settings, "memorySkips") ?? [];
  return (seq) => seq <= off && !skips.some(({ from, to }) => seq >= from && seq <= to);
}

/** Lets go of the gaps that both readers are past. */
export function forgetSkips({ store: { settings } }: Ports): void {
  const skips = getSetting(settings, "memorySkips") ?? [];
  const past = Math.min(
    getSetting(settings, "capturedSeq") ?? 0,
    getSetting(settings, "handedSeq") ?? 0,
  );
  const left = skips.filter(({ to }) => to > past);
  if (left.length < skips.length) setSetting(settings, "memorySkips", left);
}
