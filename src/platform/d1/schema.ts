import { index, integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";

/**
 * Tables of the shared database. Only what something reads or writes today: the memory index, pairing
 * and bindings add theirs with the code that uses them. Times are milliseconds since the epoch.
 */
export const usage = sqliteTable(
  "usage",
  {
    id: text().primaryKey(),
    agentId: text("agent_id").notNull(),
    sessionKey: text("session_key").notNull(),
    sessionId: text("session_id").notNull(),
    turnId: text("turn_id").notNull(),
    provider: text().notNull(),
    model: text().notNull(),
    input: integer().notNull(),
    output: integer().notNull(),
    cacheRead: integer("cache_read").notNull(),
    cacheWrite: integer("cache_write").notNull(),
    /** US dollars; null = the price is not known. */
    cost: real(),
    latencyMs: integer("latency_ms").notNull(),
    at: integer().notNull(),
  },
  (table) => [
    index("usage_agent").on(table.agentId, table.at),
    index("usage_session").on(table.sessionKey, table.at),
  ],
);

/** Conversations that a platform gave another id, each with the one it is known by here. */
export const moved = sqliteTable(
  "moved",
  {
    channel: text().notNull(),
    conversation: text().notNull(),
    former: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.channel, table.conversation] })],
);
