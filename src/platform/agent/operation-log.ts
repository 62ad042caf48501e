import { and, asc, eq, inArray, isNotNull, lt, max, sql } from "drizzle-orm";
import type { Now } from "#contract/ports.ts";
import type { WorkspaceChange, WorkspaceOperation } from "#contract/workspace.ts";
import type {
  LoggedOperation,
  OperationLog,
  PlannedOperation,
  SettledOperation,
} from "#contract/workspace-store.ts";
import type { AgentDatabase } from "./database.ts";
import { operation, type OperationOptions } from "./schema.ts";

/**
 * OperationLog in the SQLite of AgentDO. `record` also schedules the work's completion, in the same
 * transaction, so that no logged operation is ever without an alarm. Results are kept for a week, far
 * longer than a turn can be resumed; the texts go as soon as there is a result.
 */
const KEEP_MS = 7 * 86_400_000;

/** Literals, since SQLite uses a partial index only where it can read the condition off the query. */
const open = sql`status = 'logged'`;
const closed = sql`status <> 'logged'`;

export class SqliteOperationLog implements OperationLog {
  readonly #database: AgentDatabase;
  readonly #now: Now;
  readonly #onRecorded: () => void;

  /** `onRecorded` sets the alarm that finishes what a crash leaves behind. */
  constructor(database: AgentDatabase, now: Now, onRecorded: () => void) {
    this.#database = database;
    this.#now = now;
    this.#onRecorded = onRecorded;
  }

  record(added: WorkspaceOperation): LoggedOperation {
    const known = this.get(added.operationId);
    if (known) return known;
    const at = this.#now();
    this.#database
      .delete(operation)
      .where(and(closed, lt(operation.at, at - KEEP_MS)))
      .run();
    const values = { ...toColumns(added), status: "logged" as const, at };
    const row = this.#database.insert(operation).values(values).returning().get();
    this.#onRecorded();
    return fromRow(row);
  }

  get(operationId: string): LoggedOperation | null {
    const which = eq(operation.id, operationId);
    const row = this.#database.select().from(operation).where(which).get();
    return row ? fromRow(row) : null;
  }

  pending(path: string, limit: number): LoggedOperation[] {
    return this.#database
      .select()
      .from(operation)
      .where(and(open, eq(operation.path, path)))
      .orderBy(asc(operation.seq))
      .limit(limit)
      .all()
      .map(fromRow);
  }

  pendingPaths(): string[] {
    return this.#database
      .selectDistinct({ path: operation.path })
      .from(operation)
      .where(open)
      .all()
      .map((row) => row.path);
  }

  lastPutAt(path: string): number {
    const row = this.#database
      .select({ at: max(operation.putAt) })
      .from(operation)
      .where(and(eq(operation.path, path), isNotNull(operation.putAt)))
      .get();
    return row?.at ?? 0;
  }

  start(operations: readonly PlannedOperation[], base: string | null): void {
    for (const { operationId, size, created } of operations) {
      this.#update([operationId], { attempt: { base, planned: { size, created } } });
    }
  }

  retract(operationIds: readonly string[]): void {
    this.#update(operationIds, { attempt: null });
  }

  settle(results: readonly SettledOperation[]): void {
    for (const { operationId, result, putAt } of results) {
      const status = result.ok ? "put" : "failed";
      const emptied = { text: "", oldText: null, options: {} };
      this.#update([operationId], { status, result, putAt: putAt ?? null, ...emptied });
    }
  }

  #update(operationIds: readonly string[], change: Partial<Row>): void {
    if (operationIds.length === 0) return;
    const which = inArray(operation.id, [...operationIds]);
    this.#database.update(operation).set(change).where(which).run();
  }
}

type Row = typeof operation.$inferSelect;

function toColumns({ operationId, path, change, ...facts }: WorkspaceOperation) {
  return {
    id: operationId,
    path,
    kind: change.type,
    text: textOf(change),
    oldText: change.type === "replace" ? change.oldText : null,
    options: { ...facts, ...changeOptions(change) } satisfies OperationOptions,
  };
}

function textOf(change: WorkspaceChange): string {
  if (change.type === "forget") return change.hashes.join(" ");
  return change.type === "replace" ? change.newText : change.text;
}

function changeOptions(change: WorkspaceChange): OperationOptions {
  if (change.type === "replace") return { all: change.all };
  if (change.type === "write" && change.ifEtag !== undefined) return { ifEtag: change.ifEtag };
  return {};
}

function fromRow(row: Row): LoggedOperation {
  const { all: _all, ifEtag: _ifEtag, ...facts } = row.options;
  return {
    operation: { operationId: row.id, path: row.path, change: changeFromRow(row), ...facts },
    loggedAt: row.at,
    attempt: row.attempt,
    result: row.result,
  };
}

function changeFromRow({ kind, text, oldText, options }: Row): WorkspaceChange {
  switch (kind) {
    case "append":
      return { type: kind, text };
    case "forget":
      return { type: kind, hashes: text.split(" ").filter((hash) => hash !== "") };
    case "replace":
      return { type: kind, oldText: oldText ?? "", newText: text, all: options.all ?? false };
    case "write":
      return options.ifEtag === undefined
        ? { type: kind, text }
        : { type: kind, text, ifEtag: options.ifEtag };
  }
}
