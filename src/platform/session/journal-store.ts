import { and, asc, eq, sql } from "drizzle-orm";
import type { JournalStore } from "#contract/session-store.ts";
import { toolOutputSchema, type JournalRow, type ToolOutput } from "#contract/turn.ts";
import { ReadCache } from "#platform/read-cache.ts";
import { given, givenRow, named, statement } from "#platform/statement.ts";
import { guardRow } from "./row-limit.ts";
import { journal } from "./schema.ts";
import type { UnreadableRows } from "./unreadable.ts";

const PRUNE_ROWS = 100;

const insertRow = statement((database) => database.insert(journal).values(givenRow(journal)));

const byStep = statement((database) =>
  database
    .select()
    .from(journal)
    .where(and(eq(journal.turnId, named("turnId")), eq(journal.step, named("step"))))
    .orderBy(asc(journal.position)),
);

const doneCalls = statement((database) =>
  database
    .select()
    .from(journal)
    .where(
      and(
        eq(journal.turnId, named("turnId")),
        eq(journal.kind, "tool"),
        eq(journal.status, "done"),
      ),
    )
    .orderBy(asc(journal.step), asc(journal.position)),
);

const place = and(
  eq(journal.turnId, named("turnId")),
  eq(journal.step, named("step")),
  eq(journal.position, named("position")),
);

const startRow = statement((database) =>
  database.update(journal).set({ status: "started" }).where(place),
);

const finishRow = statement((database) =>
  database
    .update(journal)
    .set({ status: "done", output: given(journal.output, "output") })
    .where(place),
);

const deleteOld = statement((database) =>
  database
    .delete(journal)
    .where(
      sql`rowid in (select rowid from journal where at < ${named("before")} limit ${sql.raw(`${PRUNE_ROWS}`)})`,
    ),
);

/** The journal of a turn's steps: a row before each effect, its result after it. */
export class JournalTable implements JournalStore {
  readonly #storage: DurableObjectStorage;
  readonly #now: () => number;
  readonly #unreadable: UnreadableRows;
  readonly #reads = new ReadCache();

  constructor(storage: DurableObjectStorage, now: () => number, unreadable: UnreadableRows) {
    this.#storage = storage;
    this.#now = now;
    this.#unreadable = unreadable;
  }

  insert(row: JournalRow): void {
    const output = guardRow("a tool result", row.output);
    insertRow(this.#storage).run({ ...row, output, at: this.#now() });
    this.#change(row, (rows) => inOrder([...rows, { ...row, output }]));
  }

  /** A new turn: nothing can be written down of it yet. What is known of earlier ones is let go. */
  turnBegins(turnId: string): void {
    this.forget();
    this.#reads.put(question(turnId, 1), []);
  }

  ofStep(turnId: string, step: number): JournalRow[] {
    const rows = this.#reads.keep(question(turnId, step), () =>
      byStep(this.#storage)
        .all({ turnId, step })
        .map((row) => this.#toRow(row)),
    );
    return [...rows];
  }

  finishedCalls(turnId: string): JournalRow[] {
    return doneCalls(this.#storage)
      .all({ turnId })
      .map((row) => this.#toRow(row));
  }

  start(turnId: string, step: number, position: number): void {
    startRow(this.#storage).run({ turnId, step, position });
    this.#changeRow({ turnId, step, position }, { status: "started" });
  }

  finish(turnId: string, step: number, position: number, output: ToolOutput | null): void {
    guardRow("a tool result", output);
    finishRow(this.#storage).run({ turnId, step, position, output });
    this.#changeRow({ turnId, step, position }, { status: "done", output });
  }

  prune(before: number): void {
    this.forget();
    deleteOld(this.#storage).run({ before });
  }

  /** After a rollback: what was read meanwhile is not so. */
  forget(): void {
    this.#reads.forget();
  }

  #changeRow(place: Place, change: Partial<JournalRow>): void {
    this.#change(place, (rows) =>
      rows.map((row) => (row.position === place.position ? { ...row, ...change } : row)),
    );
  }

  /** What a write has made of the rows of a step, if they are kept. */
  #change({ turnId, step }: Place, change: (rows: JournalRow[]) => JournalRow[]): void {
    const rows = this.#reads.kept<JournalRow[]>(question(turnId, step));
    if (rows) this.#reads.put(question(turnId, step), change(rows));
  }

  /** A result that cannot be read is still the result of a call that ran: the model is told so. */
  #toRow({ at: _at, output, ...row }: typeof journal.$inferSelect): JournalRow {
    if (output === null) return { ...row, output };
    const parsed = toolOutputSchema.safeParse(output);
    if (parsed.success) return { ...row, output: parsed.data };
    this.#unreadable.note({ table: "journal", id: `${row.turnId}:${row.step}.${row.position}` });
    const text = "It ran, but its stored result cannot be read any more.";
    return { ...row, output: { text, isError: true } };
  }
}

type Place = Pick<JournalRow, "turnId" | "step" | "position">;

function question(turnId: string, step: number): string {
  return `${step} ${turnId}`;
}

function inOrder(rows: readonly JournalRow[]): JournalRow[] {
  return [...rows].sort((one, other) => one.position - other.position);
}
