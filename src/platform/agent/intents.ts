import { asc, desc, eq, ne } from "drizzle-orm";
import { intentSchema, type Intent, type IntentStore } from "#contract/intent.ts";
import type { AgentDatabase } from "./database.ts";
import { intent as table } from "./schema.ts";

/** IntentStore in the SQLite of AgentDO. A record of an unknown shape reads as absent. */
export function createIntentStore(database: AgentDatabase): IntentStore {
  const read = (rows: { readonly record: unknown }[]): Intent[] =>
    rows.flatMap(({ record }) => {
      const parsed = intentSchema.safeParse(record);
      return parsed.success ? [parsed.data] : [];
    });
  return {
    get: (id) => read(database.select().from(table).where(eq(table.id, id)).all())[0] ?? null,
    armed: () =>
      read(
        database
          .select()
          .from(table)
          .where(eq(table.status, "armed"))
          .orderBy(asc(table.createdAt))
          .all(),
      ),
    closed: (limit) =>
      read(
        database
          .select()
          .from(table)
          .where(ne(table.status, "armed"))
          .orderBy(desc(table.createdAt))
          .limit(limit)
          .all(),
      ),
    put(record) {
      const { id, status, createdAt } = record;
      const row = { id, status, createdAt, record };
      database
        .insert(table)
        .values(row)
        .onConflictDoUpdate({ target: table.id, set: { status, record } })
        .run();
    },
    remove(id) {
      database.delete(table).where(eq(table.id, id)).run();
    },
  };
}
