import { asc, inArray } from "drizzle-orm";
import type { UsageRow } from "#contract/agent-port.ts";
import { givenRow } from "#platform/statement.ts";
import type { AgentDatabase } from "./database.ts";
import { usage } from "./schema.ts";

/** Usage rows between the end of a turn and D1. They stay until D1 has said that it took them. */
export interface UsageBuffer {
  /** Idempotent per row id. */
  add(rows: readonly UsageRow[]): void;
  peek(limit: number): UsageRow[];
  remove(ids: readonly string[]): void;
}

export function createUsageBuffer(database: AgentDatabase): UsageBuffer {
  const insertRow = database.insert(usage).values(givenRow(usage)).onConflictDoNothing().prepare();
  return {
    add(rows) {
      for (const row of rows) insertRow.run({ id: row.id, row });
    },
    peek(limit) {
      const stored = database.select().from(usage).orderBy(asc(usage.id)).limit(limit).all();
      return stored.map(({ row }) => row);
    },
    remove(ids) {
      if (ids.length > 0)
        database
          .delete(usage)
          .where(inArray(usage.id, [...ids]))
          .run();
    },
  };
}
