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

/** Under which id a group began; decided once for each. */
export const origin = sqliteTable(
  "origin",
  {
    channel: text().notNull(),
    conversation: text().notNull(),
    /** Its own id, or the one it had before its platform gave it this one. */
    origin: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.channel, table.conversation] })],
);
