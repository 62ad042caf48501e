import { and, asc, eq, gte, lt, sql, type SQL } from "drizzle-orm";
import { replyRouteSchema } from "#contract/message.ts";
import { outboundPartSchema, type NewOutboxRow, type OutboxRow } from "#contract/outbox.ts";
import type { OutboxSettlement, OutboxStore } from "#contract/session-store.ts";
import { ReadCache } from "#platform/read-cache.ts";
import { given, givenRow, limitOf, named, statement } from "#platform/statement.ts";
import { guardRow } from "./row-limit.ts";
import { outbox } from "./schema.ts";
import type { UnreadableRows } from "./unreadable.ts";

const PRUNE_ROWS = 50;
const DOUBTFUL_ROWS = 100;

const insertRow = statement((database) =>
  database
    .insert(outbox)
    .values(givenRow(outbox, "seq", "claim", "claimedAt", "error"))
    .onConflictDoNothing()
    .returning({ seq: outbox.seq }),
);

const byTurn = rows(eq(outbox.turnId, named("turnId")));
const byKey = rows(and(gte(outbox.key, named("from")), lt(outbox.key, named("to"))));
const openRows = rows(sql`status in ('prepared', 'sending')`);

const doubtfulRows = statement((database) =>
  database
    .select()
    .from(outbox)
    .where(and(gte(outbox.at, named("since")), sql`status in ('unknown', 'failed')`))
    .orderBy(asc(outbox.seq))
    .limit(limitOf(DOUBTFUL_ROWS)),
);

const claimRow = statement((database) =>
  database
    .update(outbox)
    .set({ status: "sending", claim: given(outbox.claim, "claim"), claimedAt: sql`${named("at")}` })
    .where(and(eq(outbox.seq, named("seq")), eq(outbox.status, "prepared")))
    .returning({ seq: outbox.seq }),
);

const held = and(
  eq(outbox.seq, named("seq")),
  eq(outbox.status, "sending"),
  eq(outbox.claim, named("claim")),
);

/** What is not given (null) stays as it is. */
const settleRow = statement((database) =>
  database
    .update(outbox)
    .set({
      status: given(outbox.status, "status"),
      mode: sql`coalesce(${named("mode")}, mode)`,
      messageId: sql`coalesce(${named("messageId")}, message_id)`,
      nextAt: sql`coalesce(${named("nextAt")}, next_at)`,
      error: sql`coalesce(${named("error")}, error)`,
      attempts: sql`attempts + ${named("attempt")}`,
      at: sql`coalesce(${named("endedAt")}, at)`,
      claim: null,
    })
    .where(held)
    .returning({ seq: outbox.seq }),
);

const takeOverRow = statement((database) =>
  database
    .update(outbox)
    .set({ claim: given(outbox.claim, "to"), claimedAt: sql`${named("at")}` })
    .where(held)
    .returning({ seq: outbox.seq }),
);

const removeRow = statement((database) =>
  database
    .delete(outbox)
    .where(and(eq(outbox.seq, named("seq")), eq(outbox.status, "prepared")))
    .returning({ seq: outbox.seq }),
);

const failRow = statement((database) =>
  database
    .update(outbox)
    .set({ status: "failed", error: "it could not be read", claim: null })
    .where(eq(outbox.seq, named("seq"))),
);

const deleteOld = statement((database) =>
  database
    .delete(outbox)
    .where(
      sql`seq in (select seq from outbox where at < ${named("before")} and status in ('sent', 'failed', 'unknown') limit ${sql.raw(`${PRUNE_ROWS}`)})`,
    ),
);

function rows(where: SQL | undefined) {
  return statement((database) =>
    database.select().from(outbox).where(where).orderBy(asc(outbox.seq)),
  );
}

const beginning = { nextAt: 0, status: "prepared", attempts: 0 } as const;

/** Requests to platforms. A row is moved only by compare-and-set on its state and its claim. */
export class OutboxTable implements OutboxStore {
  readonly #storage: DurableObjectStorage;
  readonly #now: () => number;
  readonly #unreadable: UnreadableRows;
  readonly #reads = new ReadCache();

  constructor(storage: DurableObjectStorage, now: () => number, unreadable: UnreadableRows) {
    this.#storage = storage;
    this.#now = now;
    this.#unreadable = unreadable;
  }

  insert(row: NewOutboxRow): void {
    const part = guardRow("an outgoing message", row.part);
    const added = { messageId: null, ...row, part, ...beginning };
    const at = this.#now();
    const [stored] = insertRow(this.#storage).all({ ...added, at });
    if (stored)
      this.#add({ ...added, seq: stored.seq, claim: null, claimedAt: null, error: null, at });
  }

  /** A new turn has said nothing yet. What earlier ones said is let go: it is seldom asked for again. */
  turnBegins(turnId: string): void {
    this.#reads.forget((question) => question === "open");
    this.#reads.put(`turn ${turnId}`, []);
  }

  ofTurn(turnId: string): OutboxRow[] {
    const found = this.#reads.keep(`turn ${turnId}`, () =>
      this.#rows(byTurn(this.#storage).all({ turnId })),
    );
    return [...found];
  }

  withPrefix(prefix: string): OutboxRow[] {
    return this.#rows(byKey(this.#storage).all({ from: prefix, to: `${prefix}\uffff` }));
  }

  doubtful(since: number): OutboxRow[] {
    return this.#rows(doubtfulRows(this.#storage).all({ since }));
  }

  open(): OutboxRow[] {
    const found = this.#reads.keep("open", () => this.#rows(openRows(this.#storage).all()));
    return [...found];
  }

  claim(seq: number, claim: string, at: number): boolean {
    const claimed = claimRow(this.#storage).all({ seq, claim, at }).length === 1;
    if (claimed) this.#change(seq, () => ({ status: "sending", claim, claimedAt: at }));
    return claimed;
  }

  settle(seq: number, claim: string, change: OutboxSettlement): boolean {
    const endedAt = isOpen(change) ? null : this.#now();
    const changed = settleRow(this.#storage).all({
      mode: null,
      messageId: null,
      nextAt: null,
      error: null,
      ...change,
      attempt: change.attempt ? 1 : 0,
      endedAt,
      seq,
      claim,
    });
    if (changed.length === 0) return false;
    const { attempt, ...values } = change;
    this.#change(seq, ({ attempts, at }) => ({
      ...values,
      claim: null,
      attempts: attempts + (attempt ? 1 : 0),
      at: endedAt ?? at,
    }));
    return true;
  }

  remove(seq: number): boolean {
    this.forget();
    return removeRow(this.#storage).all({ seq }).length === 1;
  }

  takeOver(seq: number, from: string, to: string, at: number): boolean {
    this.forget();
    return takeOverRow(this.#storage).all({ seq, claim: from, to, at }).length === 1;
  }

  prune(before: number): void {
    this.forget();
    deleteOld(this.#storage).run({ before });
  }

  /** After a rollback: what was read meanwhile is not so. */
  forget(): void {
    this.#reads.forget();
  }

  /** A row that was written belongs to what is kept of its turn and of the open ones. */
  #add(row: OutboxRow): void {
    this.#reads.change((question, rows) => {
      const joins = question === "open" || question === `turn ${row.turnId}`;
      return joins ? [...(rows as OutboxRow[]), row] : rows;
    });
  }

  /** What a write has made of a row, wherever it is kept. */
  #change(seq: number, change: (row: OutboxRow) => Partial<OutboxRow>): void {
    const changed = (row: OutboxRow) => (row.seq === seq ? { ...row, ...change(row) } : row);
    this.#reads.change((question, rows) => {
      const now = (rows as OutboxRow[]).map(changed);
      return question === "open" ? now.filter(isOpen) : now;
    });
  }

  #rows(found: readonly Row[]): OutboxRow[] {
    return found.flatMap((row) => toRow(row) ?? this.#note(row) ?? []);
  }

  #note({ seq, ...row }: Row): null {
    const close = () => {
      this.forget();
      failRow(this.#storage).run({ seq });
    };
    return this.#unreadable.note({
      table: "outbox",
      id: `${seq}`,
      ...(isOpen(row) ? { close } : {}),
    });
  }
}

type Row = typeof outbox.$inferSelect;

function isOpen({ status }: Pick<OutboxRow, "status">): boolean {
  return status === "prepared" || status === "sending";
}

/** Null: it cannot be read. */
function toRow({ route, part, ...row }: Row): OutboxRow | null {
  const where = replyRouteSchema.safeParse(route);
  const what = outboundPartSchema.safeParse(part);
  return where.success && what.success ? { ...row, route: where.data, part: what.data } : null;
}
