import { and, asc, desc, eq, sql } from "drizzle-orm";
import type { JournalStore, TurnChange, TurnStore } from "#contract/session-store.ts";
import type { JournalRow, ToolOutput, Turn } from "#contract/turn.ts";
import { guardRow, type SessionDatabase } from "./database.ts";
import { journal, turn } from "./schema.ts";

const PRUNE_ROWS = 100;
/** More questions than this are not open at once. */
const PARKED_ROWS = 50;

/** Turns: one row each, at most one of them running. */
export class TurnTable implements TurnStore {
  readonly #database: SessionDatabase;

  constructor(database: SessionDatabase) {
    this.#database = database;
  }

  insert(row: Turn): void {
    this.#database.insert(turn).values(row).run();
  }

  get(id: string): Turn | null {
    const row = this.#database.select().from(turn).where(eq(turn.id, id)).get();
    return row ? toTurn(row) : null;
  }

  running(): Turn | null {
    const row = this.#database
      .select()
      .from(turn)
      .where(sql`status = 'running'`)
      .limit(1)
      .get();
    return row ? toTurn(row) : null;
  }

  parked(): Turn[] {
    return this.#database
      .select()
      .from(turn)
      .where(sql`status = 'parked'`)
      .orderBy(asc(turn.seq))
      .limit(PARKED_ROWS)
      .all()
      .map(toTurn);
  }

  latest(): Turn | null {
    const row = this.#database.select().from(turn).orderBy(desc(turn.seq)).limit(1).get();
    return row ? toTurn(row) : null;
  }

  update(id: string, change: TurnChange): void {
    this.#database.update(turn).set(change).where(eq(turn.id, id)).run();
  }
}

/** The journal of a turn's steps: a row before each effect, its result after it. */
export class JournalTable implements JournalStore {
  readonly #database: SessionDatabase;
  readonly #now: () => number;

  constructor(database: SessionDatabase, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  insert(row: JournalRow): void {
    this.#database
      .insert(journal)
      .values({ ...row, output: guardRow("a tool result", row.output), at: this.#now() })
      .run();
  }

  ofStep(turnId: string, step: number): JournalRow[] {
    return this.#database
      .select()
      .from(journal)
      .where(and(eq(journal.turnId, turnId), eq(journal.step, step)))
      .orderBy(asc(journal.position))
      .all();
  }

  finishedCalls(turnId: string): JournalRow[] {
    return this.#database
      .select()
      .from(journal)
      .where(and(eq(journal.turnId, turnId), eq(journal.kind, "tool"), eq(journal.status, "done")))
      .orderBy(asc(journal.step), asc(journal.position))
      .all();
  }

  start(turnId: string, step: number, position: number): void {
    this.#database
      .update(journal)
      .set({ status: "started" })
      .where(callAt(turnId, step, position))
      .run();
  }

  finish(turnId: string, step: number, position: number, output: ToolOutput | null): void {
    this.#database
      .update(journal)
      .set({ status: "done", output: guardRow("a tool result", output) })
      .where(callAt(turnId, step, position))
      .run();
  }

  prune(before: number): void {
    this.#database.run(
      sql`delete from journal where rowid in (select rowid from journal where at < ${before} limit ${PRUNE_ROWS})`,
    );
  }
}

function callAt(turnId: string, step: number, position: number) {
  return and(eq(journal.turnId, turnId), eq(journal.step, step), eq(journal.position, position));
}

function toTurn(row: typeof turn.$inferSelect): Turn {
  const { seq: _seq, ...rest } = row;
  return rest;
}
