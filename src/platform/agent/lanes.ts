import { and, asc, count, eq, lte } from "drizzle-orm";
import type { BeginStep, Lane } from "#contract/agent-port.ts";
import type { Now } from "#contract/ports.ts";
import type { AgentDatabase } from "./database.ts";
import { laneWaiter, lease } from "./schema.ts";

/**
 * How many turns of an agent run at once, by kind. A throttle, not a fence: leases are idempotent per
 * turn, renewed with every step, and end by themselves when a turn dies. Callers hold no lock.
 */
export interface Lanes {
  /** Gives or renews a place. Refused: the turn is remembered and woken when one is free. */
  take(request: BeginStep): LaneGrant;
  /** Frees the place of a turn. Returns the session to wake, if one waits for it. */
  release(turnId: string): string | null;
  /** Frees the places of turns that died. Returns the sessions to wake. */
  expire(): string[];
}

export type LaneGrant =
  | { readonly granted: true }
  | { readonly granted: false; readonly retryAfterMs: number };

const LIMITS: Readonly<Record<Lane, number>> = { main: 8, subagent: 8, cron: 2, nested: 2 };

/** A step takes at most the 15 minutes of an alarm run, and each one renews. */
export const LEASE_MS = 16 * 60_000;

const RETRY_MS = 5_000;

export function createLanes(database: AgentDatabase, now: Now): Lanes {
  return {
    take({ turnId, lane, sessionKey }) {
      const at = now();
      database
        .delete(lease)
        .where(and(eq(lease.lane, lane), lte(lease.expiresAt, at)))
        .run();
      if (!hasLease(database, turnId) && taken(database, lane) >= LIMITS[lane]) {
        database
          .insert(laneWaiter)
          .values({ turnId, lane, sessionKey, since: at })
          .onConflictDoNothing()
          .run();
        return { granted: false, retryAfterMs: RETRY_MS };
      }
      const expiresAt = at + LEASE_MS;
      database
        .insert(lease)
        .values({ turnId, lane, sessionKey, expiresAt })
        .onConflictDoUpdate({ target: lease.turnId, set: { expiresAt } })
        .run();
      database.delete(laneWaiter).where(eq(laneWaiter.turnId, turnId)).run();
      return { granted: true };
    },
    release(turnId) {
      database.delete(laneWaiter).where(eq(laneWaiter.turnId, turnId)).run();
      const freed = database.delete(lease).where(eq(lease.turnId, turnId)).returning().get();
      return freed ? nextWaiter(database, freed.lane) : null;
    },
    expire() {
      const dead = database.delete(lease).where(lte(lease.expiresAt, now())).returning().all();
      return dead.flatMap(({ lane }) => nextWaiter(database, lane) ?? []);
    },
  };
}

function hasLease(database: AgentDatabase, turnId: string): boolean {
  return database.select().from(lease).where(eq(lease.turnId, turnId)).get() !== undefined;
}

function taken(database: AgentDatabase, lane: Lane): number {
  return database.select({ n: count() }).from(lease).where(eq(lease.lane, lane)).get()?.n ?? 0;
}

/** Takes the oldest off the list: if the place is gone when it asks, it queues again. */
function nextWaiter(database: AgentDatabase, lane: Lane): string | null {
  const oldest = database
    .select()
    .from(laneWaiter)
    .where(eq(laneWaiter.lane, lane))
    .orderBy(asc(laneWaiter.since))
    .get();
  if (!oldest) return null;
  database.delete(laneWaiter).where(eq(laneWaiter.turnId, oldest.turnId)).run();
  return oldest.sessionKey;
}
