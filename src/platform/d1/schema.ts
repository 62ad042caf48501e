import {
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { MemoryKind } from "#contract/memory.ts";
import type { Trust } from "#contract/transcript.ts";

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

/** Sources of the agents' memories. Derived, like all of memory_*, from the files in R2; but for recalls. */
export const memorySource = sqliteTable(
  "memory_source",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    agentId: text("agent_id").notNull(),
    path: text().notNull(),
    kind: text().$type<MemoryKind>().notNull(),
    identity: text(),
    date: text(),
    hash: text().notNull(),
    etag: text().notNull(),
    generation: integer().notNull(),
    /** Of the embedder whose vectors it has. */
    model: text(),
    passages: integer().notNull(),
  },
  (table) => [uniqueIndex("memory_source_path").on(table.agentId, table.path)],
);

/** The words of a passage stand in `memory_clean` or `memory_outside` (FTS5), under the same rowid. */
export const memoryPassage = sqliteTable(
  "memory_passage",
  {
    id: integer().primaryKey({ autoIncrement: true }),
    sourceId: integer("source_id").notNull(),
    outside: integer({ mode: "boolean" }).notNull(),
    position: integer().notNull(),
    line: integer().notNull(),
    text: text().notNull(),
    trust: text().$type<Trust>().notNull(),
    importance: integer(),
    projects: text().notNull(),
    superseded: integer({ mode: "boolean" }).notNull(),
    /** Of all of it and of its words in the index: a passage that is the same is left as it is. */
    hash: text().notNull(),
  },
  (table) => [index("memory_passage_place").on(table.sourceId, table.outside, table.position)],
);

/** Vectors of a source and part, up to a thousand to a row. */
export const memoryVector = sqliteTable(
  "memory_vector",
  {
    sourceId: integer("source_id").notNull(),
    outside: integer({ mode: "boolean" }).notNull(),
    chunk: integer().notNull(),
    generation: integer().notNull(),
    model: text().notNull(),
    dimensions: integer().notNull(),
    /** JSON list, ascending. */
    positions: text().notNull(),
    /** Base64: D1 answers a blob as a list of numbers, at several times the size. */
    data: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.sourceId, table.outside, table.chunk] })],
);

/** What was found by whom when: evidence for dreaming. Not derived from files. */
export const memoryRecall = sqliteTable(
  "memory_recall",
  {
    agentId: text("agent_id").notNull(),
    lineHash: text("line_hash").notNull(),
    queryHash: text("query_hash").notNull(),
    day: text().notNull(),
    path: text().notNull(),
    score: real().notNull(),
    rank: integer().notNull(),
    sessionKey: text("session_key").notNull(),
    at: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.agentId, table.lineHash, table.queryHash, table.day] }),
    index("memory_recall_day").on(table.agentId, table.day),
  ],
);
