import { getTableColumns, sql, type Column, type SQL } from "drizzle-orm";
import { drizzle, type DrizzleSqliteDODatabase } from "drizzle-orm/durable-sqlite";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

/**
 * Queries that are built once in the life of an isolate. Building one with drizzle costs several times
 * what running it does, and a turn runs dozens in an object that may have been loaded a moment ago. So
 * they are prepared at first use, on a database that stands for whichever object is asking; a prepared
 * query is run in the same breath as it is asked for, so there is never more than one that does.
 * Trade-off: values go in by name, and only a missing one is noticed (drizzle throws).
 */
type Database = DrizzleSqliteDODatabase;

let asking: DurableObjectStorage | undefined;

const whoeverAsks = new Proxy({} as DurableObjectStorage, {
  get: (_target, name): unknown => asking && Reflect.get(asking, name),
});

let shared: Database | undefined;

/** Gives the prepared query, to be run on this storage at once: `bySeq(storage).get({ seq })`. */
export type Statement<Prepared> = (storage: DurableObjectStorage) => Prepared;

export function statement<Prepared>(
  build: (database: Database) => { prepare(): Prepared },
): Statement<Prepared> {
  let prepared: Prepared | undefined;
  return (storage) => {
    asking = storage;
    shared ??= drizzle(whoeverAsks);
    prepared ??= build(shared).prepare();
    return prepared;
  };
}

/** A value to be given under a name when the query is run, stored as the column stores its values. */
export function given(column: Column, name: string): SQL {
  const encoder = {
    // Drizzle itself would make the text "null" of a null in a JSON column.
    mapToDriverValue: (value: unknown): unknown =>
      value === null ? null : column.mapToDriverValue(value),
  };
  return sql`${sql.param(sql.placeholder(name), encoder)}`;
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
