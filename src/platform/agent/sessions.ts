import { and, asc, desc, eq, gt, isNotNull, sql, type SQL } from "drizzle-orm";
import type { BusyEntry, SessionEntry } from "#contract/agent-port.ts";
import type { Now } from "#contract/ports.ts";
import { named } from "#platform/statement.ts";
import type { AgentDatabase } from "./database.ts";
import { session } from "./schema.ts";

/**
 * The directory of an agent's sessions, and which of them have work. A session marks itself before it
 * works; only the sweeper takes the mark away, and only if it has not grown since the session said it
 * was idle.
 */
export class SessionDirectory {
  readonly #database: AgentDatabase;
  readonly #now: Now;
  readonly #putBusy: ReturnType<typeof prepareBusy>;

  constructor(database: AgentDatabase, now: Now) {
    this.#database = database;
    this.#now = now;
    this.#putBusy = prepareBusy(database);
  }

  markBusy({ sessionKey, mark, address }: BusyEntry): void {
    const at = this.#now();
    this.#putBusy.run({ sessionKey, mark, at, address: address?.toLowerCase() ?? null });
  }

  /** By key or by address; of several with one address the latest active. */
  find(keyOrAddress: string): SessionEntry | null {
    const address = keyOrAddress.toLowerCase();
    return (
      this.#entries(eq(session.key, keyOrAddress), 1)[0] ??
      this.#entries(and(isNotNull(session.address), eq(session.address, address)), 1)[0] ??
      null
    );
  }

  /** Latest activity first. */
  list(limit: number): SessionEntry[] {
    return this.#entries(undefined, limit);
  }

  /** The key that follows in their order; null = there is none. */
  after(sessionKey: string | null): string | null {
    const row = this.#database
      .select({ key: session.key })
      .from(session)
      .where(gt(session.key, sessionKey ?? ""))
      .orderBy(asc(session.key))
      .limit(1)
      .get();
    return row?.key ?? null;
  }

  /** Busy sessions, those not looked at for longest first. */
  busy(limit: number): BusyEntry[] {
    return this.#database
      .select({ sessionKey: session.key, mark: sql<number>`busy_mark` })
      .from(session)
      .where(isNotNull(session.busyMark))
      .orderBy(asc(session.sweptAt))
      .limit(limit)
      .all();
  }

  /** Puts a session at the end of the sweeper's queue. */
  swept(sessionKey: string): void {
    const sweptAt = this.#now();
    this.#database.update(session).set({ sweptAt }).where(eq(session.key, sessionKey)).run();
  }

  /** Takes the mark away, unless it has grown since. */
  clear({ sessionKey, mark }: BusyEntry): void {
    this.#database
      .update(session)
      .set({ busyMark: null })
      .where(and(eq(session.key, sessionKey), eq(session.busyMark, mark)))
      .run();
  }

  forget(sessionKey: string): void {
    this.#database.delete(session).where(eq(session.key, sessionKey)).run();
  }

  #entries(which: SQL | undefined, limit: number): SessionEntry[] {
    return this.#database
      .select({ sessionKey: session.key, lastActiveAt: session.lastActiveAt })
      .from(session)
      .where(which)
      .orderBy(desc(session.lastActiveAt))
      .limit(limit)
      .all();
  }
}

/** An address that is not given leaves the one that is known. */
function prepareBusy(database: AgentDatabase) {
  const at = sql`${named("at")}`;
  const mark = sql`${named("mark")}`;
  const address = sql`${named("address")}`;
  return database
    .insert(session)
    .values({
      key: named("sessionKey"),
      address,
      firstSeenAt: at,
      lastActiveAt: at,
      busyMark: mark,
      sweptAt: at,
    })
    .onConflictDoUpdate({
      target: session.key,
      set: {
        lastActiveAt: at,
        address: sql`coalesce(${address}, address)`,
        busyMark: sql`max(coalesce(busy_mark, ${mark}), ${mark})`,
        sweptAt: sql`case when busy_mark is null then ${at} else swept_at end`,
      },
    })
    .prepare();
}
