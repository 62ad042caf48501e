import { and, asc, eq, gt, lte, sql } from "drizzle-orm";
import type { BeginStep, Lane } from "#contract/agent-port.ts";
import type { Now } from "#contract/ports.ts";
import { given, givenRow, limitOf } from "#platform/statement.ts";
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
  const queries = prepareQueries(database);
  /** Nobody waits, as far as this object's life can tell: it alone writes the list. */
  let noneWait = false;

  function leaveList(turnId: string): void {
    if (!noneWait) queries.removeWaiter.run({ turnId });
  }

  /** Takes the oldest off the list: if the place is gone when it asks, it queues again. */
  function nextWaiter(lane: Lane): string | null {
    if (noneWait) return null;
    const oldest = queries.oldestWaiter.get({ lane });
    if (!oldest) {
      noneWait = queries.anyWaiter.get() === undefined;
      return null;
    }
    queries.removeWaiter.run({ turnId: oldest.turnId });
    return oldest.sessionKey;
  }

  return {
    take({ turnId, lane, sessionKey }) {
      const at = now();
      const { taken = 0, own = 0 } = queries.places.get({ turnId, lane, at }) ?? {};
      if (own === 0 && taken >= LIMITS[lane]) {
        noneWait = false;
        queries.addWaiter.run({ turnId, lane, sessionKey, since: at });
        return { granted: false, retryAfterMs: RETRY_MS };
      }
      queries.putLease.run({ turnId, lane, sessionKey, expiresAt: at + LEASE_MS });
      leaveList(turnId);
      return { granted: true };
    },
    release(turnId) {
      const freed = queries.removeLease.get({ turnId });
      // Who has a place does not wait for one.
      if (!freed) leaveList(turnId);
      return freed ? nextWaiter(freed.lane) : null;
    },
    expire() {
      const dead = database.delete(lease).where(lte(lease.expiresAt, now())).returning().all();
      return dead.flatMap(({ lane }) => nextWaiter(lane) ?? []);
    },
  };
}

/** What every step of every turn asks, built once in the life of the object. */
function prepareQueries(database: AgentDatabase) {
  const named = sql.placeholder;
  return {
    /** Places that are taken and not past their time. */
    places: database
      .select({
        own: sql<number>`coalesce(sum(${lease.turnId} = ${named("turnId")}), 0)`,
        taken: sql<number>`count(*)`,
      })
      .from(lease)
      .where(and(eq(lease.lane, named("lane")), gt(lease.expiresAt, named("at"))))
      .prepare(),
    putLease: database
      .insert(lease)
      .values(givenRow(lease))
      .onConflictDoUpdate({
        target: lease.turnId,
        set: { expiresAt: given(lease.expiresAt, "expiresAt") },
      })
      .prepare(),
    removeLease: database
      .delete(lease)
      .where(eq(lease.turnId, named("turnId")))
      .returning()
      .prepare(),
    addWaiter: database
      .insert(laneWaiter)
      .values(givenRow(laneWaiter))
      .onConflictDoNothing()
      .prepare(),
    oldestWaiter: database
      .select()
      .from(laneWaiter)
      .where(eq(laneWaiter.lane, named("lane")))
      .orderBy(asc(laneWaiter.since))
      .limit(limitOf(1))
      .prepare(),
    anyWaiter: database
      .select({ turnId: laneWaiter.turnId })
      .from(laneWaiter)
      .limit(limitOf(1))
      .prepare(),
    removeWaiter: database
      .delete(laneWaiter)
      .where(eq(laneWaiter.turnId, named("turnId")))
      .prepare(),
  };
}
