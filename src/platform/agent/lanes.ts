import { asc, eq } from "drizzle-orm";
import type { BeginStep, Lane } from "#contract/agent-port.ts";
import type { Now } from "#contract/ports.ts";
import { given, givenRow, limitOf, named } from "#platform/statement.ts";
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

/** A lease that was renewed so lately is good enough: most turns are over by then. */
const RENEW_AFTER_MS = 60_000;

/**
 * Leases are rows, so that a throttle holds over a restart; they are read once in the life of the object,
 * which alone writes them.
 */
export class LaneTable implements Lanes {
  readonly #database: AgentDatabase;
  readonly #queries: ReturnType<typeof prepareQueries>;
  readonly #now: Now;
  #leases: Map<string, Lease> | undefined;
  /** Nobody waits, as far as this object's life can tell. */
  #noneWait = false;

  constructor(database: AgentDatabase, now: Now) {
    this.#database = database;
    this.#queries = prepareQueries(database);
    this.#now = now;
  }

  take(request: BeginStep): LaneGrant {
    const { turnId, lane, sessionKey } = request;
    const at = this.#now();
    const until = this.#held().get(turnId)?.expiresAt ?? 0;
    if (until > at + LEASE_MS - RENEW_AFTER_MS) return { granted: true };
    if (until <= at && this.#taken(lane, at) >= LIMITS[lane]) {
      this.#noneWait = false;
      this.#queries.addWaiter.run({ turnId, lane, sessionKey, since: at });
      return { granted: false, retryAfterMs: RETRY_MS };
    }
    const given = { turnId, lane, sessionKey, expiresAt: at + LEASE_MS };
    this.#queries.putLease.run(given);
    this.#held().set(turnId, given);
    this.#leaveList(turnId);
    return { granted: true };
  }

  release(turnId: string): string | null {
    const held = this.#held().get(turnId);
    if (held) return this.#free(held);
    // Who has a place does not wait for one.
    this.#leaveList(turnId);
    return null;
  }

  expire(): string[] {
    const now = this.#now();
    const dead = [...this.#held().values()].filter(({ expiresAt }) => expiresAt <= now);
    return dead.flatMap((each) => this.#free(each) ?? []);
  }

  #held(): Map<string, Lease> {
    this.#leases ??= new Map(
      this.#database
        .select()
        .from(lease)
        .all()
        .map((row) => [row.turnId, row]),
    );
    return this.#leases;
  }

  #taken(lane: Lane, at: number): number {
    const all = [...this.#held().values()];
    return all.filter((each) => each.lane === lane && each.expiresAt > at).length;
  }

  #free({ turnId, lane }: Lease): string | null {
    this.#queries.removeLease.run({ turnId });
    this.#held().delete(turnId);
    return this.#nextWaiter(lane);
  }

  #leaveList(turnId: string): void {
    if (!this.#noneWait) this.#queries.removeWaiter.run({ turnId });
  }

  /** Takes the oldest off the list: if the place is gone when it asks, it queues again. */
  #nextWaiter(lane: Lane): string | null {
    if (this.#noneWait) return null;
    const oldest = this.#queries.oldestWaiter.get({ lane });
    if (!oldest) {
      this.#noneWait = this.#queries.anyWaiter.get() === undefined;
      return null;
    }
    this.#queries.removeWaiter.run({ turnId: oldest.turnId });
    return oldest.sessionKey;
  }
}

type Lease = typeof lease.$inferSelect;

/** What every step of every turn asks, built once in the life of the object. */
function prepareQueries(database: AgentDatabase) {
  return {
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
