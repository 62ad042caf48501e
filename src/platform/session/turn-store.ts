import { asc, desc, eq, sql, type SQL } from "drizzle-orm";
import type { TurnChange, TurnStore } from "#contract/session-store.ts";
import { turnDetailSchema, type Turn } from "#contract/turn.ts";
import { ReadCache } from "#platform/read-cache.ts";
import { given, givenRow, limitOf, named, statement, statementFor } from "#platform/statement.ts";
import { turn } from "./schema.ts";
import type { UnreadableRows } from "./unreadable.ts";

/** More questions than this are not open at once. */
const PARKED_ROWS = 50;
const PRUNE_ROWS = 100;

const insertRow = statement((database) => database.insert(turn).values(givenRow(turn, "seq")));

const byId = statement((database) =>
  database
    .select()
    .from(turn)
    .where(eq(turn.id, named("id"))),
);

const runningRow = statement((database) =>
  database
    .select()
    .from(turn)
    .where(sql`status = 'running'`)
    .limit(limitOf(1)),
);

const parkedRows = statement((database) =>
  database
    .select()
    .from(turn)
    .where(sql`status = 'parked'`)
    .orderBy(asc(turn.seq))
    .limit(limitOf(PARKED_ROWS)),
);

const latestRow = statement((database) =>
  database.select().from(turn).orderBy(desc(turn.seq)).limit(limitOf(1)),
);

const deleteOld = statement((database) =>
  database
    .delete(turn)
    .where(
      sql`seq in (select seq from turn where ended_at is not null and ended_at < ${named("before")} and seq < (select max(seq) from turn) limit ${sql.raw(`${PRUNE_ROWS}`)})`,
    ),
);

type ChangeName = keyof TurnChange;

/** One statement for each set of columns that are changed together: there are few. */
const updateRow = statementFor((names: string) => {
  const set: Partial<Record<ChangeName, SQL>> = {};
  for (const name of names.split(" ") as ChangeName[]) set[name] = given(turn[name], name);
  return statement((database) =>
    database
      .update(turn)
      .set(set)
      .where(eq(turn.id, named("id"))),
  );
});

/** Turns: one row each, at most one of them running. */
export class TurnTable implements TurnStore {
  readonly #storage: DurableObjectStorage;
  readonly #now: () => number;
  readonly #unreadable: UnreadableRows;
  readonly #begins: (id: string) => void;
  readonly #reads = new ReadCache();

  constructor(
    storage: DurableObjectStorage,
    now: () => number,
    unreadable: UnreadableRows,
    begins: (id: string) => void,
  ) {
    this.#storage = storage;
    this.#now = now;
    this.#unreadable = unreadable;
    this.#begins = begins;
  }

  insert(row: Turn): void {
    this.#refuseSecond(row.id, row.status);
    this.#forgetFor(row.status);
    insertRow(this.#storage).run({ ...row });
    this.#remember(row);
    this.#begins(row.id);
  }

  get(id: string): Turn | null {
    return this.#reads.keep(`turn ${id}`, () => this.#turn(byId(this.#storage).get({ id })));
  }

  running(): Turn | null {
    return this.#reads.keep("running", () => this.#turn(runningRow(this.#storage).get()));
  }

  parked(): Turn[] {
    const rows = this.#reads.keep("parked", () =>
      parkedRows(this.#storage)
        .all()
        .flatMap((row) => this.#turn(row) ?? []),
    );
    return [...rows];
  }

  latest(): Turn | null {
    return this.#reads.keep("latest", () => this.#turn(latestRow(this.#storage).get()));
  }

  update(id: string, change: TurnChange): void {
    const names = (Object.keys(change) as ChangeName[]).filter(
      (name) => change[name] !== undefined,
    );
    if (names.length === 0) return;
    this.#refuseSecond(id, change.status);
    const before = this.#reads.kept<Turn>(`turn ${id}`) ?? this.#runningNow(id);
    this.#forgetFor(change.status);
    updateRow(names.join(" "))(this.#storage).run({ ...change, id });
    if (!before) return;
    this.#remember({ ...before, ...change });
    // There is never more than one.
    const ended = before.status === "running" && (change.status ?? "running") !== "running";
    if (ended) this.#reads.put("running", null);
  }

  prune(before: number): void {
    this.forget();
    deleteOld(this.#storage).run({ before });
  }

  /** Two turns at once would be a bug of ours: better refused than run. */
  #refuseSecond(id: string, status: Turn["status"] | undefined): void {
    if (status !== "running") return;
    const running = this.running();
    if (running && running.id !== id) throw new Error(`turn ${running.id} is running already`);
  }

  #turn(row: Row | undefined): Turn | null {
    return row ? (toTurn(row) ?? this.#note(row)) : null;
  }

  #note({ id, status }: Row): null {
    const open = status === "running" || status === "parked";
    const close = () => this.update(id, { status: "failed", endedAt: this.#now() });
    return this.#unreadable.note({ table: "turn", id, ...(open ? { close } : {}) });
  }

  /** If nothing was parked, nothing is unless the write has just done so. */
  #forgetFor(status: Turn["status"] | undefined): void {
    this.#reads.forget(
      (question, rows) =>
        question === "parked" && status !== "parked" && (rows as Turn[]).length === 0,
    );
  }

  #runningNow(id: string): Turn | undefined {
    const running = this.#reads.kept<Turn | null>("running");
    return running?.id === id ? running : undefined;
  }

  /** A turn is written to again and again: what it is now need not be read each time. */
  #remember(row: Turn): void {
    this.#reads.put(`turn ${row.id}`, row);
    if (row.status === "running") this.#reads.put("running", row);
  }

  /** After a rollback: what was read meanwhile is not so. */
  forget(): void {
    this.#reads.forget();
  }
}

type Row = typeof turn.$inferSelect;

/** Null: it cannot be read. */
function toTurn({ seq: _seq, detail, ...row }: Row): Turn | null {
  const parsed = turnDetailSchema.safeParse(detail);
  return parsed.success ? { ...row, detail: parsed.data } : null;
}
