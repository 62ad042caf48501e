import type { SessionPorts } from "#core/state/ports.ts";

/** Longer than a platform goes on delivering, and than /again looks for what may not have arrived. */
export const UNUSED_MS = 2 * 24 * 3_600_000;

/** When somebody last wrote here or was answered; 0 = never. */
export function lastUsedAt({ store }: Pick<SessionPorts, "store">): number {
  const turn = store.turns.latest();
  const lastTurn = turn?.endedAt ?? turn?.startedAt ?? 0;
  return Math.max(store.inbox.latestAt() ?? 0, lastTurn);
}
