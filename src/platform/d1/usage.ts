import { drizzle } from "drizzle-orm/d1";
import type { UsageRow } from "#contract/agent-port.ts";
import type { UsageLedger } from "#contract/usage-ledger.ts";
import { migrateD1 } from "./migrate.ts";
import { usage } from "./schema.ts";

/** UsageLedger on D1. */
export function createUsageLedger(database: D1Database): UsageLedger {
  const db = drizzle(database);

  return {
    async add(rows) {
      await migrateD1(database);
      const [first, ...rest] = chunks(rows).map((some) =>
        db.insert(usage).values(some).onConflictDoNothing({ target: usage.id }),
      );
      if (first) await db.batch([first, ...rest]);
    },
  };
}

/** Columns times rows must stay below D1's 100 parameters in a statement. */
const ROWS_PER_STATEMENT = 7;

function chunks(rows: readonly UsageRow[]): (typeof usage.$inferInsert)[][] {
  const result: (typeof usage.$inferInsert)[][] = [];
  for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) {
    result.push(rows.slice(at, at + ROWS_PER_STATEMENT).map(columns));
  }
  return result;
}

/** A number that is none would be refused for good and hold up all rows behind it. */
function columns(row: UsageRow): typeof usage.$inferInsert {
  return {
    ...row,
    input: whole(row.input),
    output: whole(row.output),
    cacheRead: whole(row.cacheRead),
    cacheWrite: whole(row.cacheWrite),
    latencyMs: whole(row.latencyMs),
    at: whole(row.at),
    cost: row.cost !== null && Number.isFinite(row.cost) ? row.cost : null,
  };
}

function whole(value: number): number {
  return Number.isFinite(value) ? Math.round(value) : 0;
}
