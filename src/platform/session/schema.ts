import { sql } from "drizzle-orm";
import {
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";
import type { InboxKind, InboxStatus } from "#contract/inbox.ts";
import type { OutboxKind, OutboxMode, OutboxStatus } from "#contract/outbox.ts";
import type { TranscriptEntry, Trust } from "#contract/transcript.ts";
import type {
  JournalKind,
  JournalStatus,
  TurnPhase,
  TurnStatus,
  TurnTrigger,
} from "#contract/turn.ts";
import { json } from "#platform/json-column.ts";

/**
 * Tables inside one SessionDO. Times are milliseconds since the epoch. The partial indexes keep what
 * is open small to look up, however long the history grows.
 */
export const inbox = sqliteTable(
  "inbox",
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    deliveryKey: text("delivery_key").notNull(),
    identityKey: text("identity_key").notNull(),
    contentHash: text("content_hash"),
    kind: text().$type<InboxKind>().notNull(),
    status: text().$type<InboxStatus>().notNull(),
    message: json().notNull(),
    extra: json().notNull(),
    turnId: text("turn_id"),
    receivedAt: integer("received_at").notNull(),
    notBefore: integer("not_before").notNull(),
  },
  (table) => [
    uniqueIndex("inbox_delivery").on(table.deliveryKey),
    uniqueIndex("inbox_identity").on(table.identityKey),
    index("inbox_open")
      .on(table.status, table.kind, table.seq)
      .where(sql`status <> 'done'`),
    index("inbox_turn")
      .on(table.turnId)
      .where(sql`turn_id is not null`),
    index("inbox_content")
      .on(table.contentHash, table.receivedAt)
      .where(sql`content_hash is not null`),
    index("inbox_age")
      .on(table.receivedAt)
      .where(sql`status = 'done'`),
  ],
);

export const entry = sqliteTable(
  "entry",
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    sessionId: text("session_id").notNull(),
    turnId: text("turn_id"),
    at: integer().notNull(),
    role: text().$type<TranscriptEntry["role"]>().notNull(),
    trust: text().$type<Trust>().notNull(),
    tokens: integer().notNull(),
    /** What belongs to the role: content, author, results … */
    body: json().notNull(),
  },
  (table) => [
    index("entry_session").on(table.sessionId, table.seq),
    index("entry_untrusted")
      .on(table.sessionId, table.seq)
      .where(sql`trust = 'untrusted'`),
    index("entry_turn")
      .on(table.turnId)
      .where(sql`turn_id is not null`),
  ],
);

export const turn = sqliteTable(
  "turn",
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull(),
    sessionId: text("session_id").notNull(),
    status: text().$type<TurnStatus>().notNull(),
    trigger: text().$type<TurnTrigger>().notNull(),
    phase: text().$type<TurnPhase>().notNull(),
    step: integer().notNull(),
    attempts: integer().notNull(),
    resumes: integer().notNull(),
    nextAt: integer("next_at").notNull(),
    startedAt: integer("started_at").notNull(),
    endedAt: integer("ended_at"),
    detail: json().notNull(),
  },
  (table) => [
    uniqueIndex("turn_id").on(table.id),
    index("turn_parked")
      .on(table.seq)
      .where(sql`status = 'parked'`),
    index("turn_running")
      .on(table.status)
      .where(sql`status = 'running'`),
    index("turn_ended")
      .on(table.endedAt)
      .where(sql`ended_at is not null`),
  ],
);

export const journal = sqliteTable(
  "journal",
  {
    turnId: text("turn_id").notNull(),
    step: integer().notNull(),
    position: integer().notNull(),
    kind: text().$type<JournalKind>().notNull(),
    status: text().$type<JournalStatus>().notNull(),
    version: integer().notNull(),
    callId: text("call_id"),
    name: text(),
    input: text(),
    output: json(),
    at: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.turnId, table.step, table.position] }),
    index("journal_age").on(table.at),
  ],
);

export const outbox = sqliteTable(
  "outbox",
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    key: text().notNull(),
    turnId: text("turn_id"),
    kind: text().$type<OutboxKind>().notNull(),
    mode: text().$type<OutboxMode>().notNull(),
    route: json().notNull(),
    part: json().notNull(),
    status: text().$type<OutboxStatus>().notNull(),
    messageId: text("message_id"),
    attempts: integer().notNull(),
    nextAt: integer("next_at").notNull(),
    claim: text(),
    claimedAt: integer("claimed_at"),
    error: text(),
    at: integer().notNull(),
  },
  (table) => [
    uniqueIndex("outbox_key").on(table.key),
    index("outbox_open")
      .on(table.seq)
      .where(sql`status in ('prepared', 'sending')`),
    index("outbox_turn")
      .on(table.turnId)
      .where(sql`turn_id is not null`),
    index("outbox_age").on(table.at),
  ],
);

export const setting = sqliteTable("setting", {
  name: text().primaryKey(),
  value: json().notNull(),
});

/** Rows on their way to the agent; gone once it has them. */
export const usage = sqliteTable("usage", {
  id: text().primaryKey(),
  row: json().notNull(),
});

/** Sums per reset, so that /usage never scans. */
export const usageTotal = sqliteTable(
  "usage_total",
  {
    sessionId: text("session_id").primaryKey(),
    calls: integer().notNull(),
    input: integer().notNull(),
    output: integer().notNull(),
    cacheRead: integer("cache_read").notNull(),
    cacheWrite: integer("cache_write").notNull(),
    /** Micro-dollars of the calls whose price is known. */
    cost: integer().notNull(),
    unpriced: integer().notNull(),
    /** Calls whose tokens the model's server did not report; `unpriced`, too. */
    unreported: integer().notNull().default(0),
    /** When the first call was made; never updated, so that the index costs nothing per call. */
    since: integer().notNull().default(0),
  },
  (table) => [index("usage_total_age").on(table.since)],
);
