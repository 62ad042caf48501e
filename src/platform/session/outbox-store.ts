import { and, asc, eq, gte, lt, sql } from "drizzle-orm";
import type { NewOutboxRow, OutboxRow } from "#contract/outbox.ts";
import type { OutboxSettlement, OutboxStore } from "#contract/session-store.ts";
import { guardRow, type SessionDatabase } from "./database.ts";
import { outbox } from "./schema.ts";

const PRUNE_ROWS = 50;
const DOUBTFUL_ROWS = 100;

/** Requests to platforms. A row is moved only by compare-and-set on its state and its claim. */
export class OutboxTable implements OutboxStore {
  readonly #database: SessionDatabase;
  readonly #now: () => number;

  constructor(database: SessionDatabase, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  insert(row: NewOutboxRow): void {
    this.#database
      .insert(outbox)
      .values({
        key: row.key,
        turnId: row.turnId,
        kind: row.kind,
        mode: row.mode,
        route: row.route,
        part: guardRow("an outgoing message", row.part),
        messageId: row.messageId ?? null,
        nextAt: row.nextAt ?? 0,
        status: "prepared",
        attempts: 0,
        at: this.#now(),
      })
      .onConflictDoNothing()
      .run();
  }

  get(seq: number): OutboxRow | null {
    const row = this.#database.select().from(outbox).where(eq(outbox.seq, seq)).get();
    return row ? toRow(row) : null;
  }

  ofTurn(turnId: string): OutboxRow[] {
    return this.#database
      .select()
      .from(outbox)
      .where(eq(outbox.turnId, turnId))
      .orderBy(asc(outbox.seq))
      .all()
      .map(toRow);
  }

  withPrefix(prefix: string): OutboxRow[] {
    return this.#database
      .select()
      .from(outbox)
      .where(and(gte(outbox.key, prefix), lt(outbox.key, `${prefix}\uffff`)))
      .orderBy(asc(outbox.seq))
      .all()
      .map(toRow);
  }

  doubtful(since: number): OutboxRow[] {
    return this.#database
      .select()
      .from(outbox)
      .where(and(gte(outbox.at, since), sql`status in ('unknown', 'failed')`))
      .orderBy(asc(outbox.seq))
      .limit(DOUBTFUL_ROWS)
      .all()
      .map(toRow);
  }

  open(): OutboxRow[] {
    return this.#database
      .select()
      .from(outbox)
      .where(sql`status in ('prepared', 'sending')`)
      .orderBy(asc(outbox.seq))
      .all()
      .map(toRow);
  }

  claim(seq: number, claim: string, at: number): boolean {
    const changed = this.#database
      .update(outbox)
      .set({ status: "sending", claim, claimedAt: at })
      .where(and(eq(outbox.seq, seq), eq(outbox.status, "prepared")))
      .returning({ seq: outbox.seq })
      .all();
    return changed.length === 1;
  }

  settle(seq: number, claim: string, change: OutboxSettlement): boolean {
    const changed = this.#database
      .update(outbox)
      .set({
        status: change.status,
        ...(change.mode === undefined ? {} : { mode: change.mode }),
        ...(change.messageId === undefined ? {} : { messageId: change.messageId }),
        ...(change.nextAt === undefined ? {} : { nextAt: change.nextAt }),
        ...(change.error === undefined ? {} : { error: change.error }),
        ...(change.attempt ? { attempts: sql`attempts + 1` } : {}),
        claim: null,
      })
      .where(and(eq(outbox.seq, seq), eq(outbox.status, "sending"), eq(outbox.claim, claim)))
      .returning({ seq: outbox.seq })
      .all();
    return changed.length === 1;
  }

  takeOver(seq: number, from: string, to: string, at: number): boolean {
    const changed = this.#database
      .update(outbox)
      .set({ claim: to, claimedAt: at })
      .where(and(eq(outbox.seq, seq), eq(outbox.status, "sending"), eq(outbox.claim, from)))
      .returning({ seq: outbox.seq })
      .all();
    return changed.length === 1;
  }

  prune(before: number): void {
    this.#database.run(
      sql`delete from outbox where seq in (select seq from outbox where at < ${before} and status in ('sent', 'failed', 'unknown') limit ${PRUNE_ROWS})`,
    );
  }
}

function toRow(row: typeof outbox.$inferSelect): OutboxRow {
  const { at: _at, ...rest } = row;
  return rest;
}
