import { d1Migrations } from "#migrations/d1/index.ts";
import { statementsOf, type Migration } from "#platform/migrate.ts";

/**
 * Brings D1 up to date from the bundled SQL at its first use in an isolate, so that deploying needs no
 * extra step. Book-keeping is the table `wrangler d1 migrations` uses, so both ways may be mixed. Two
 * isolates may race: each migration is one batch, that is one transaction, which begins by claiming
 * its name; the loser rolls back and finds it done. Only the fact is shared between requests, never a
 * promise: awaiting another request's I/O is not allowed.
 */
const migrated = new WeakSet<D1Database>();

/** Throws with the migration's name and the database's own words. */
export async function migrateD1(
  database: D1Database,
  migrations: readonly Migration[] = d1Migrations,
): Promise<void> {
  if (migrated.has(database)) return;
  await database
    .prepare(
      `CREATE TABLE IF NOT EXISTS d1_migrations (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT UNIQUE,
        applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
      )`,
    )
    .run();
  const applied = await appliedNames(database);
  for (const migration of migrations) {
    if (!applied.has(migration.name)) await apply(database, migration);
  }
  migrated.add(database);
}

async function apply(database: D1Database, migration: Migration): Promise<void> {
  const claim = database
    .prepare("INSERT INTO d1_migrations (name) VALUES (?)")
    .bind(migration.name);
  const statements = statementsOf(migration).map((statement) => database.prepare(statement));
  try {
    await database.batch([claim, ...statements]);
  } catch (cause) {
    if ((await appliedNames(database)).has(migration.name)) return;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`migration ${migration.name}: ${reason}`, { cause });
  }
}

async function appliedNames(database: D1Database): Promise<Set<string>> {
  const { results } = await database
    .prepare("SELECT name FROM d1_migrations")
    .all<{ name: string }>();
  return new Set(results.map((row) => row.name));
}
