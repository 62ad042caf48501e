import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { UsageRow } from "#contract/agent-port.ts";
import type { WorkspaceChange, WorkspaceOperation, WorkspaceResult } from "#contract/workspace.ts";
import type { Intent, IntentStatus } from "#contract/intent.ts";
import type { PlannedResult } from "#contract/workspace-store.ts";
import { json } from "#platform/json-column.ts";

/**
 * Tables inside one AgentDO. Times are milliseconds since the epoch. The partial indexes keep what is
 * open small to look up, however long the history grows.
 */
export const session = sqliteTable(
  "session",
  {
    key: text().primaryKey(),
    /** `channel:conversation[:thread]`, lower-case: another way to name it. */
    address: text(),
    firstSeenAt: integer("first_seen_at").notNull(),
    lastActiveAt: integer("last_active_at").notNull(),
    /** Null = idle. */
    busyMark: integer("busy_mark"),
    /** When it became busy or was last woken by the sweeper: the oldest is next. */
    sweptAt: integer("swept_at").notNull(),
    /** Since when it is put away; null = it is not. */
    archivedAt: integer("archived_at"),
    /** Until then it is not asked to be put away. */
    sparedUntil: integer("spared_until").notNull().default(0),
    /** Since when its owner wants all of it at hand; null = it goes by the rules. */
    pinnedAt: integer("pinned_at"),
  },
  (table) => [
    index("session_busy")
      .on(table.sweptAt)
      .where(sql`busy_mark is not null`),
    index("session_active").on(table.lastActiveAt),
    index("session_present")
      .on(table.lastActiveAt)
      .where(sql`archived_at is null`),
    index("session_address")
      .on(table.address)
      .where(sql`address is not null`),
  ],
);

/** Strangers who got their one notice, or are about to. */
export const notice = sqliteTable(
  "notice",
  {
    channel: text().notNull(),
    account: text().notNull(),
    peer: text().notNull(),
    at: integer().notNull(),
    sent: integer({ mode: "boolean" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.channel, table.account, table.peer] }),
    index("notice_account").on(table.channel, table.account, table.at),
  ],
);

/** Rows on their way to D1; gone once it has them. */
export const usage = sqliteTable("usage", {
  id: text().primaryKey(),
  row: text({ mode: "json" }).$type<UsageRow>().notNull(),
});

/** Changes to workspace files: written down before they are made, and their results kept a while. */
export const operation = sqliteTable(
  "operation",
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    path: text().notNull(),
    status: text().$type<"logged" | "put" | "failed">().notNull(),
    kind: text().$type<WorkspaceChange["type"]>().notNull(),
    /** Texts stand in columns of their own: as JSON they could outgrow a row. Emptied at the end. */
    text: text().notNull(),
    oldText: text("old_text"),
    options: text({ mode: "json" }).$type<OperationOptions>().notNull(),
    /** A put was sent, on top of this version. */
    attempt: text({ mode: "json" }).$type<{ base: string | null; planned: PlannedResult }>(),
    result: text({ mode: "json" }).$type<WorkspaceResult>(),
    at: integer().notNull(),
    putAt: integer("put_at"),
  },
  (table) => [
    index("operation_open")
      .on(table.path, table.seq)
      .where(sql`status = 'logged'`),
    index("operation_put")
      .on(table.path, table.putAt)
      .where(sql`put_at is not null`),
    index("operation_age")
      .on(table.at)
      .where(sql`status <> 'logged'`),
  ],
);

/** Of the change what is no text, and the facts it was made with. */
export interface OperationOptions extends Omit<
  WorkspaceOperation,
  "operationId" | "path" | "change"
> {
  readonly all?: boolean;
  readonly ifEtag?: string | null;
}

/** Work that is due at a time; the object's one alarm stands at the earliest. */
export const due = sqliteTable("due", {
  name: text().primaryKey(),
  at: integer().notNull(),
  /** Runs in a row that did not finish the work. */
  failures: integer().notNull(),
});

export const setting = sqliteTable("setting", {
  name: text().primaryKey(),
  value: text().notNull(),
});

/** Standing intents. Status and time stand beside the record for the indexes only. */
export const intent = sqliteTable(
  "intent",
  {
    id: text().primaryKey(),
    status: text().$type<IntentStatus>().notNull(),
    createdAt: integer("created_at").notNull(),
    record: text({ mode: "json" }).$type<Intent>().notNull(),
  },
  (table) => [index("intent_status").on(table.status, table.createdAt)],
);

/** Larger values under names: where a long piece of work stands, and what it left. */
export const document = sqliteTable("document", {
  name: text().primaryKey(),
  value: json().notNull(),
});
