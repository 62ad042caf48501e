import { asc, eq, sql } from "drizzle-orm";
import { usageRowSchema } from "#contract/agent-port.ts";
import type { UsageStore, UsageTotals } from "#contract/session-store.ts";
import { givenRow, limitOf, named, statement, statementFor } from "#platform/statement.ts";
import { usage, usageTotal } from "./schema.ts";
import type { UnreadableRows } from "./unreadable.ts";

const MICRO = 1_000_000;
const PRUNE_ROWS = 50;
const none: UsageTotals = {
  calls: 0,
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  cost: 0,
  unreported: 0,
};

const insertRow = statement((database) =>
  database.insert(usage).values(givenRow(usage)).onConflictDoNothing().returning({ id: usage.id }),
);

const addToTotal = statement((database) =>
  database
    .insert(usageTotal)
    .values(givenRow(usageTotal))
    .onConflictDoUpdate({
      target: usageTotal.sessionId,
      set: {
        calls: sql`calls + 1`,
        input: sql`input + ${named("input")}`,
        output: sql`output + ${named("output")}`,
        cacheRead: sql`cache_read + ${named("cacheRead")}`,
        cacheWrite: sql`cache_write + ${named("cacheWrite")}`,
        cost: sql`cost + ${named("cost")}`,
        unpriced: sql`unpriced + ${named("unpriced")}`,
        unreported: sql`unreported + ${named("unreported")}`,
      },
    }),
);

const firstRows = statementFor((limit: number) =>
  statement((database) =>
    database.select().from(usage).orderBy(asc(usage.id)).limit(limitOf(limit)),
  ),
);

const deleteRows = statement((database) =>
  database.delete(usage).where(sql`${usage.id} in (select value from json_each(${named("ids")}))`),
);

const totalOf = statement((database) =>
  database
    .select()
    .from(usageTotal)
    .where(eq(usageTotal.sessionId, named("sessionId"))),
);

const deleteOldTotals = statement((database) =>
  database
    .delete(usageTotal)
    .where(
      sql`session_id in (select session_id from usage_total where since < ${named("before")} and session_id <> ${named("keep")} limit ${sql.raw(`${PRUNE_ROWS}`)})`,
    ),
);

/** Usage rows on their way to the agent, and their sums per reset. Rows leave once they are taken. */
export function createUsageStore(
  storage: DurableObjectStorage,
  unreadable: UnreadableRows,
): UsageStore {
  const remove = (ids: readonly string[]) => {
    if (ids.length > 0) deleteRows(storage).run({ ids: JSON.stringify(ids) });
  };
  return {
    add(row) {
      const inserted = insertRow(storage).get({ id: row.id, row });
      if (!inserted) return;
      const { input, output, cacheRead, cacheWrite, sessionId, at: since } = row;
      const cost = Math.round((row.cost ?? 0) * MICRO);
      const unpriced = row.cost === null ? 1 : 0;
      const tokens = { input, output, cacheRead, cacheWrite };
      const unreported = row.unreported ? 1 : 0;
      const counts = { calls: 1, ...tokens, cost, unpriced, unreported };
      addToTotal(storage).run({ sessionId, ...counts, since });
    },
    pending(limit) {
      return firstRows(limit)(storage)
        .all()
        .flatMap(({ id, row }) => {
          const parsed = usageRowSchema.safeParse(row);
          const close = () => remove([id]);
          return parsed.data ?? unreadable.note({ table: "usage", id, close }) ?? [];
        });
    },
    taken: remove,
    totals(sessionId) {
      const row = totalOf(storage).get({ sessionId });
      if (!row) return none;
      const { calls, input, output, cacheRead, cacheWrite, unreported } = row;
      const cost = row.unpriced > 0 ? null : row.cost / MICRO;
      return { calls, input, output, cacheRead, cacheWrite, cost, unreported };
    },
    prune(before, keep) {
      deleteOldTotals(storage).run({ before, keep });
    },
  };
}
