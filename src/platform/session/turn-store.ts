import { and, asc, desc, eq, sql } from "drizzle-orm";
import type { JournalStore, TurnStore } from "#contract/session-store.ts";
import type { Turn } from "#contract/turn.ts";
import { guardRow, type SessionDatabase } from "./database.ts";
import { journal, turn } from "./schema.ts";

const PRUNE_ROWS = 100;

/** Turns: one row each, at most one of them running. */
export function createTurnStore(database: SessionDatabase): TurnStore {
  return {
    insert(row) {
      database.insert(turn).values(row).run();
    },
    get(id) {
      const row = database.select().from(turn).where(eq(turn.id, id)).get();
      return row ? toTurn(row) : null;
    },
    running() {
      const row = database
        .select()
        .from(turn)
        .where(sql`status = 'running'`)
        .limit(1)
        .get();
      return row ? toTurn(row) : null;
    },
    latest() {
      const row = database.select().from(turn).orderBy(desc(turn.seq)).limit(1).get();
      return row ? toTurn(row) : null;
    },
    update(id, change) {
      database.update(turn).set(change).where(eq(turn.id, id)).run();
    },
  };
}

/** The journal of a turn's steps: a row before each effect, its result after it. */
export function createJournalStore(database: SessionDatabase, now: () => number): JournalStore {
  const at = (turnId: string, step: number, position: number) =>
    and(eq(journal.turnId, turnId), eq(journal.step, step), eq(journal.position, position));
  return {
    insert(row) {
      database
        .insert(journal)
        .values({ ...row, output: guardRow("a tool result", row.output), at: now() })
        .run();
    },
    ofStep(turnId, step) {
      return database
        .select()
        .from(journal)
        .where(and(eq(journal.turnId, turnId), eq(journal.step, step)))
        .orderBy(asc(journal.position))
        .all();
    },
    finishedCalls(turnId) {
      return database
        .select()
        .from(journal)
        .where(
          and(eq(journal.turnId, turnId), eq(journal.kind, "tool"), eq(journal.status, "done")),
        )
        .orderBy(asc(journal.step), asc(journal.position))
        .all();
    },
    start(turnId, step, position) {
      database.update(journal).set({ status: "started" }).where(at(turnId, step, position)).run();
    },
    finish(turnId, step, position, output) {
      database
        .update(journal)
        .set({ status: "done", output: guardRow("a tool result", output) })
        .where(at(turnId, step, position))
        .run();
    },
    prune(before) {
      database.run(
        sql`delete from journal where rowid in (select rowid from journal where at < ${before} limit ${PRUNE_ROWS})`,
      );
    },
  };
}

function toTurn(row: typeof turn.$inferSelect): Turn {
  const { seq: _seq, ...rest } = row;
  return rest;
}
