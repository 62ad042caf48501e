import { asc, eq, inArray, sql } from "drizzle-orm";
import type { UsageStore, UsageTotals } from "#contract/session-store.ts";
import type { SessionDatabase } from "./database.ts";
import { usage, usageTotal } from "./schema.ts";

const MICRO = 1_000_000;
const none: UsageTotals = { calls: 0, input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0 };

/** Usage rows on their way to the agent, and their sums per reset. Rows leave once they are taken. */
export function createUsageStore(database: SessionDatabase): UsageStore {
  return {
    add(row) {
      const inserted = database
        .insert(usage)
        .values({ id: row.id, row })
        .onConflictDoNothing()
        .returning({ id: usage.id })
        .all();
      if (inserted.length === 0) return;
      const { input, output, cacheRead, cacheWrite, sessionId } = row;
      const cost = Math.round((row.cost ?? 0) * MICRO);
      const unpriced = row.cost === null ? 1 : 0;
      database
        .insert(usageTotal)
        .values({ sessionId, calls: 1, input, output, cacheRead, cacheWrite, cost, unpriced })
        .onConflictDoUpdate({
          target: usageTotal.sessionId,
          set: {
            calls: sql`calls + 1`,
            input: sql`input + ${input}`,
            output: sql`output + ${output}`,
            cacheRead: sql`cache_read + ${cacheRead}`,
            cacheWrite: sql`cache_write + ${cacheWrite}`,
            cost: sql`cost + ${cost}`,
            unpriced: sql`unpriced + ${unpriced}`,
          },
        })
        .run();
    },
    pending(limit) {
      return database
        .select()
        .from(usage)
        .orderBy(asc(usage.id))
        .limit(limit)
        .all()
        .map((stored) => stored.row);
    },
    taken(ids) {
      if (ids.length > 0)
        database
          .delete(usage)
          .where(inArray(usage.id, [...ids]))
          .run();
    },
    totals(sessionId) {
      const row = database
        .select()
        .from(usageTotal)
        .where(eq(usageTotal.sessionId, sessionId))
        .get();
      if (!row) return none;
      const { calls, input, output, cacheRead, cacheWrite } = row;
      const cost = row.unpriced > 0 ? null : row.cost / MICRO;
      return { calls, input, output, cacheRead, cacheWrite, cost };
    },
  };
}
