import { and, count, eq, gte, lt, sql, type SQL } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { UsageRow } from "#contract/agent-port.ts";
import type { LabelledUsage, UsageLedger, UsageQuery, UsageSum } from "#contract/usage-ledger.ts";
import { migrateD1 } from "./migrate.ts";
import { usage } from "./schema.ts";

/** UsageLedger on D1. Every read is a range of one of the two indexes. */
export function createUsageLedger(database: D1Database): UsageLedger {
  const db = drizzle(database);

  async function grouped(query: UsageQuery, label: SQL<string>, order: SQL) {
    await migrateD1(database);
    const rows = await db
      .select({ label, ...sums })
      .from(usage)
      .where(inRange(query))
      .groupBy(label)
      .orderBy(order)
      .limit(MAX_GROUPS);
    return rows satisfies LabelledUsage[];
  }

  return {
    async add(rows) {
      await migrateD1(database);
      const [first, ...rest] = chunks(rows).map((some) =>
        db.insert(usage).values(some).onConflictDoNothing({ target: usage.id }),
      );
      if (first) await db.batch([first, ...rest]);
    },
    async total(query) {
      await migrateD1(database);
      const row = await db.select(sums).from(usage).where(inRange(query)).get();
      return row ?? nothing;
    },
    byModel: (query) => grouped(query, sql<string>`provider || '/' || model`, dearest),
    bySession: (query) => grouped(query, sql<string>`session_key`, dearest),
    byDay: (query, offsetMs) => {
      const day = sql<string>`strftime('%Y-%m-%d', (at + ${offsetMs}) / 1000, 'unixepoch')`;
      return grouped(query, day, sql`1`);
    },
  };
}

const MAX_GROUPS = 500;
/** Columns times rows must stay below D1's 100 parameters in a statement. */
const ROWS_PER_STATEMENT = 7;

const dearest = sql`sum(cost) desc nulls last, count(*) desc`;

const sums = {
  calls: count(),
  input: total("input"),
  output: total("output"),
  cacheRead: total("cache_read"),
  cacheWrite: total("cache_write"),
  cost: total("cost"),
  unpriced: sql<number>`count(*) - count(cost)`,
};

const nothing: UsageSum = {
  calls: 0,
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  cost: 0,
  unpriced: 0,
};

function total(column: string): SQL<number> {
  return sql<number>`coalesce(sum(${sql.raw(column)}), 0)`;
}

function inRange({ agentId, sessionKey, from, to }: UsageQuery): SQL | undefined {
  const whose = sessionKey === undefined ? undefined : eq(usage.sessionKey, sessionKey);
  return and(eq(usage.agentId, agentId), whose, gte(usage.at, from), lt(usage.at, to));
}

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
