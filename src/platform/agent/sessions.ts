import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  isNotNull,
  isNull,
  lte,
  notLike,
  sql,
  type SQL,
} from "drizzle-orm";
import type { BusyEntry, SessionEntry } from "#contract/agent-port.ts";
import type { Now } from "#contract/ports.ts";
import { named } from "#platform/statement.ts";
import type { UnusedSession } from "#contract/unused-session.ts";
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
  /** Pinned by the configuration. */
  readonly #isPinned: (session: Pick<UnusedSession, "sessionKey" | "address">) => boolean;

  constructor(
    database: AgentDatabase,
    now: Now,
    isPinned: (session: Pick<UnusedSession, "sessionKey" | "address">) => boolean = () => false,
  ) {
    this.#isPinned = isPinned;
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

  /** How many are not put away, besides those whose keys are like that. */
  present(besides: string): number {
    const rows = this.#database.select({ n: count() }).from(session);
    return rows.where(isPresent(besides)).get()?.n ?? 0;
  }

  /** Sessions at rest that are not put away and may be asked, the longest unused first. */
  unused(limit: number, besides: string): UnusedSession[] {
    const { key: sessionKey, address, lastActiveAt } = session;
    const isAtRest = and(isPresent(besides), isNull(session.busyMark), isNull(session.pinnedAt));
    return this.#database
      .select({ sessionKey, address, lastActiveAt })
      .from(session)
      .where(and(isAtRest, lte(session.sparedUntil, this.#now())))
      .orderBy(asc(lastActiveAt))
      .limit(limit)
      .all();
  }

  /** It is not asked to be put away before then. */
  spare(sessionKey: string, until: number): void {
    this.#database
      .update(session)
      .set({ sparedUntil: until })
      .where(eq(session.key, sessionKey))
      .run();
  }

  /** Its owner wants all of it at hand, or no longer. One that could not mark itself yet is known from here on. */
  pin(sessionKey: string, isPinned: boolean): void {
    const at = this.#now();
    const change = { pinnedAt: isPinned ? at : null, sparedUntil: 0 };
    this.#database
      .insert(session)
      .values({ key: sessionKey, firstSeenAt: at, lastActiveAt: at, sweptAt: at, ...change })
      .onConflictDoUpdate({ target: session.key, set: change })
      .run();
  }

  /** It is put away, unless somebody has written in it since it was looked up. */
  archive({ sessionKey, lastActiveAt }: SessionEntry): void {
    const isSame = and(eq(session.key, sessionKey), eq(session.lastActiveAt, lastActiveAt));
    this.#database
      .update(session)
      .set({ archivedAt: this.#now() })
      .where(and(isSame, isNull(session.busyMark)))
      .run();
  }

  forget(sessionKey: string): void {
    this.#database.delete(session).where(eq(session.key, sessionKey)).run();
  }

  #entries(which: SQL | undefined, limit: number): SessionEntry[] {
    const { key: sessionKey, address, lastActiveAt, archivedAt, pinnedAt } = session;
    return this.#database
      .select({ sessionKey, address, lastActiveAt, archivedAt, pinnedAt })
      .from(session)
      .where(which)
      .orderBy(desc(lastActiveAt))
      .limit(limit)
      .all()
      .map((row) => {
        const isPinned = row.pinnedAt !== null || this.#isPinned(row);
        return {
          sessionKey: row.sessionKey,
          lastActiveAt: row.lastActiveAt,
          ...(row.archivedAt === null ? {} : { archived: true }),
          ...(isPinned ? { pinned: true } : {}),
        };
      });
  }
}

/** Not put away; and none of those whose keys are like `besides`, which are never too many. */
function isPresent(besides: string): SQL | undefined {
  return and(isNull(session.archivedAt), notLike(session.key, besides));
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
        archivedAt: null,
        address: sql`coalesce(${address}, address)`,
        busyMark: sql`max(coalesce(busy_mark, ${mark}), ${mark})`,
        sweptAt: sql`case when busy_mark is null then ${at} else swept_at end`,
      },
    })
    .prepare();
}
