import type { BeginStep, Lane } from "#contract/agent-port.ts";
import type { Now } from "#contract/ports.ts";

/**
 * How many turns of an agent run at once, by kind. A throttle, not a fence: leases are idempotent per
 * turn, renewed with every step, and end by themselves when a turn dies. Callers hold no lock. It is kept
 * in memory only, so that no step has to wait for a write before its model is asked: an agent that has
 * just been loaded knows no leases, counts those turns again as they renew, and until then may let more
 * run than it should; who waits asks again by itself.
 */
export class Lanes {
  readonly #leases = new Map<string, Lease>();
  /** Turns that found their lane full, in the order they first asked. */
  readonly #waiters = new Map<string, Waiter>();
  readonly #now: Now;

  constructor(now: Now) {
    this.#now = now;
  }

  /** Gives or renews a place. Refused: the turn is remembered, to be woken when one is free. */
  take({ turnId, lane, sessionKey }: BeginStep): LaneGrant {
    const now = this.#now();
    const held = this.#leases.get(turnId);
    if (!(held && isLive(held, now)) && this.#taken(lane, now) >= LIMITS[lane]) {
      // Who asks again keeps its place in the list.
      this.#waiters.set(turnId, { lane, sessionKey, askedAt: now });
      return { granted: false, retryAfterMs: RETRY_MS };
    }
    this.#leases.set(turnId, { lane, expiresAt: now + LEASE_MS });
    this.#waiters.delete(turnId);
    return { granted: true };
  }

  /** Frees the place of a turn. Returns the session to wake, if one waits for it. */
  release(turnId: string): string | null {
    // Who has ended waits no more.
    this.#waiters.delete(turnId);
    const held = this.#leases.get(turnId);
    if (!held) return null;
    this.#leases.delete(turnId);
    return this.#nextWaiter(held.lane);
  }

  /** Frees the places of turns that died, and forgets who has not asked again. Returns whom to wake. */
  expire(): string[] {
    const now = this.#now();
    for (const [turnId, { askedAt }] of this.#waiters) {
      if (Math.abs(now - askedAt) > GONE_MS) this.#waiters.delete(turnId);
    }
    const dead = [...this.#leases].filter(([, lease]) => !isLive(lease, now));
    return dead.flatMap(([turnId]) => this.release(turnId) ?? []);
  }

  #taken(lane: Lane, now: number): number {
    let taken = 0;
    for (const lease of this.#leases.values()) {
      if (lease.lane === lane && isLive(lease, now)) taken += 1;
    }
    return taken;
  }

  /** Takes the oldest off the list: if the place is gone when it asks, it queues again. */
  #nextWaiter(lane: Lane): string | null {
    for (const [turnId, waiter] of this.#waiters) {
      if (waiter.lane !== lane) continue;
      this.#waiters.delete(turnId);
      return waiter.sessionKey;
    }
    return null;
  }
}

export type LaneGrant =
  | { readonly granted: true }
  | { readonly granted: false; readonly retryAfterMs: number };

const LIMITS: Readonly<Record<Lane, number>> = { main: 8, subagent: 8, cron: 2, nested: 2 };

/** A step takes at most the 15 minutes of an alarm run, and each one renews. */
export const LEASE_MS = 16 * 60_000;

const RETRY_MS = 5_000;

/** Who has not asked again for so long does not wait any more. */
const GONE_MS = 12 * RETRY_MS;

interface Lease {
  readonly lane: Lane;
  readonly expiresAt: number;
}

interface Waiter {
  readonly lane: Lane;
  readonly sessionKey: string;
  readonly askedAt: number;
}

/** A lease that ends later than any could was given before the clock was set back. */
function isLive({ expiresAt }: Lease, now: number): boolean {
  return expiresAt > now && expiresAt <= now + LEASE_MS;
}
