/**
 * Brings the SQLite of a Durable Object up to date from bundled SQL files: each migration once, in the
 * order given, all of them in one transaction. Synchronous, so that a constructor can call it and no
 * request ever sees a half-made schema. Not drizzle's own migrator: that one rolls back before it
 * looks at the error, and the reason is lost. Migrations only go forward.
 */
export interface Migration {
  /** Name of the SQL file; what has been applied is remembered under it. */
  readonly name: string;
  readonly sql: string;
}

const breakpoint = "--> statement-breakpoint";

/** Throws with the name, the statement and the database's own words; nothing is applied then. */
export function migrate(storage: DurableObjectStorage, migrations: readonly Migration[]): void {
  storage.transactionSync(() => {
    storage.sql.exec(
      "CREATE TABLE IF NOT EXISTS migration (name TEXT PRIMARY KEY, applied_at INTEGER NOT NULL)",
    );
    const rows = storage.sql.exec<{ name: string }>("SELECT name FROM migration").toArray();
    const applied = new Set(rows.map((row) => row.name));
    for (const migration of migrations) {
      if (!applied.has(migration.name)) apply(storage, migration);
    }
  });
}

/** The statements of a file that drizzle-kit wrote, without empty ones. */
export function statementsOf(migration: Migration): string[] {
  return migration.sql
    .split(breakpoint)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}

function apply(storage: DurableObjectStorage, migration: Migration): void {
  for (const [index, statement] of statementsOf(migration).entries()) {
    try {
      storage.sql.exec(statement);
    } catch (cause) {
      throw migrationError(migration, index, cause);
    }
  }
  storage.sql.exec(
    "INSERT INTO migration (name, applied_at) VALUES (?, ?)",
    migration.name,
    Date.now(),
  );
}

function migrationError(migration: Migration, index: number, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Error(`migration ${migration.name}, statement ${index + 1}: ${reason}`, { cause });
}
