import { and, asc, eq, sql } from "drizzle-orm";
import type { OutboxRow } from "#contract/outbox.ts";
import type { OutboxStore } from "#contract/session-store.ts";
import { guardRow, type SessionDatabase } from "./database.ts";
import { outbox } from "./schema.ts";

const PRUNE_ROWS = 50;

/** Requests to platforms. A row is moved only by compare-and-set on its state and its claim. */
export function createOutboxStore(database: SessionDatabase, now: () => number): OutboxStore {
  return {
    insert(row) {
      database
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
          at: now(),
        })
        .onConflictDoNothing()
        .run();
    },
    get(seq) {
      const row = database.select().from(outbox).where(eq(outbox.seq, seq)).get();
      return row ? toRow(row) : null;
    },
    ofTurn(turnId) {
      return database
        .select()
        .from(outbox)
        .where(eq(outbox.turnId, turnId))
        .orderBy(asc(outbox.seq))
        .all()
        .map(toRow);
    },
    open() {
      return database
        .select()
        .from(outbox)
        .where(sql`status in ('prepared', 'sending')`)
        .orderBy(asc(outbox.seq))
        .all()
        .map(toRow);
    },
    claim(seq, claim, at) {
      const changed = database
        .update(outbox)
        .set({ status: "sending", claim, claimedAt: at })
        .where(and(eq(outbox.seq, seq), eq(outbox.status, "prepared")))
        .returning({ seq: outbox.seq })
        .all();
      return changed.length === 1;
    },
    settle(seq, claim, change) {
      const changed = database
        .update(outbox)
        .set({
          status: change.status,
          ...(change.messageId === undefined ? {} : { messageId: change.messageId }),
          ...(change.nextAt === undefined ? {} : { nextAt: change.nextAt }),
          ...(change.error === undefined ? {} : { error: change.error }),
          ...(change.attempt ? { attempts: sql`attempts + 1` } : {}),
          claim: null,
        })
        .where(
          and(eq(outbox.seq, seq), eq(outbox.status, "sending"), eq(outbox.claim, claim)),
        )
        .returning({ seq: outbox.seq })
        .all();
      return changed.length === 1;
    },
    takeOver(seq, from, to, at) {
      const changed = database
        .update(outbox)
        .set({ claim: to, claimedAt: at })
        .where(and(eq(outbox.seq, seq), eq(outbox.status, "sending"), eq(outbox.claim, from)))
        .returning({ seq: outbox.seq })
        .all();
      return changed.length === 1;
    },
    prune(before) {
      database.run(
        sql`delete from outbox where seq in (select seq from outbox where at < ${before} and status in ('sent', 'failed', 'unknown') limit ${PRUNE_ROWS})`,
      );
    },
  };
}

function toRow(row: typeof outbox.$inferSelect): OutboxRow {
  const { at: _at, ...rest } = row;
  return rest;
}
