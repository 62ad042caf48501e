import { getTableColumns, sql, type Column, type SQL } from "drizzle-orm";
import { drizzle, type DrizzleSqliteDODatabase } from "drizzle-orm/durable-sqlite";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

/**
 * Queries that are built once in the life of an isolate. Building one with drizzle costs several times
 * what running it does, and a turn runs dozens in an object that may have been loaded a moment ago. So
 * they are prepared at first use, on a database that stands for whichever object is asking. Who asks is
 * set in the very call that runs the query, which is synchronous: no other object can come between.
 * Trade-off: values go in by name, and only a missing one is noticed (drizzle throws).
 */
type Database = DrizzleSqliteDODatabase;

let asking: DurableObjectStorage | undefined;

const whoeverAsks = new Proxy({} as DurableObjectStorage, {
  get: (_target, name): unknown => asking && Reflect.get(asking, name),
});

let shared: Database | undefined;

type Values = Record<string, unknown>;

interface Runnable {
  get(values?: Values): unknown;
  all(values?: Values): unknown;
  run(values?: Values): unknown;
}

/** A prepared query on one storage: `bySeq(storage).get({ seq })`. May be kept; runs where it belongs. */
export type Bound<Prepared extends Runnable> = Pick<Prepared, keyof Runnable>;
export type Statement<Prepared extends Runnable> = (
  storage: DurableObjectStorage,
) => Bound<Prepared>;

/** Where a value given at each run stands in a query, by its name. */
export const named = sql.placeholder;

export function statement<Prepared extends Runnable>(
  build: (database: Database) => { prepare(): Prepared },
): Statement<Prepared> {
  let prepared: Prepared | undefined;
  const on = (storage: DurableObjectStorage): Prepared => {
    asking = storage;
    shared ??= drizzle(whoeverAsks);
    prepared ??= build(shared).prepare();
    return prepared;
  };
  return (storage) =>
    ({
      get: (values?: Values) => on(storage).get(values),
      all: (values?: Values) => on(storage).all(values),
      run: (values?: Values) => on(storage).run(values),
    }) as Bound<Prepared>;
}

/** The same for queries whose text depends on a few values: one statement for each. */
export function statementFor<Key extends string | number, Prepared extends Runnable>(
  build: (key: Key) => Statement<Prepared>,
): (key: Key) => Statement<Prepared> {
  const known = new Map<Key, Statement<Prepared>>();
  return (key) => {
    const found = known.get(key) ?? build(key);
    known.set(key, found);
    return found;
  };
}

/**
 * A limit that stands in the text of a query: given as a value, as drizzle does, it makes SQLite plan
 * the query anew at every run. Drizzle takes it as it is; only its types do not know.
 */
export function limitOf(rows: number): number {
  return sql.raw(String(Math.trunc(rows))) as unknown as number;
}

/** A value to be given under a name when the query is run, stored as the column stores its values. */
export function given(column: Column, name: string): SQL {
  const encoder = {
    // Drizzle itself would make the text "null" of a null in a JSON column.
    mapToDriverValue: (value: unknown): unknown =>
      value === null ? null : column.mapToDriverValue(value),
  };
  return sql`${sql.param(named(name), encoder)}`;
}

/** All columns of a new row but those left out, each to be given under its own name. */
export function givenRow<
  Table extends SQLiteTable,
  Left extends keyof Table["_"]["columns"] = never,
>(
  table: Table,
  ...leftOut: readonly Left[]
): Record<Exclude<keyof Table["_"]["columns"], Left>, SQL> {
  const columns = Object.entries(getTableColumns(table)).filter(
    ([name]) => !(leftOut as readonly string[]).includes(name),
  );
  return Object.fromEntries(columns.map(([name, column]) => [name, given(column, name)])) as Record<
    Exclude<keyof Table["_"]["columns"], Left>,
    SQL
  >;
}
