import { and, asc, desc, eq, gt, or, sql } from "drizzle-orm";
import {
  acceptExtraSchema,
  type AcceptExtra,
  type InboxItem,
  type InboxKind,
  type InboxPlace,
  type InboxStatus,
} from "#contract/inbox.ts";
import { inboundMessageSchema, type InboundMessage } from "#contract/message.ts";
import type { DedupeKeys, InboxStore, NewInboxRow } from "#contract/session-store.ts";
import { ReadCache } from "#platform/read-cache.ts";
import { given, givenRow, limitOf, named, statement, statementFor } from "#platform/statement.ts";
import { moveOpenRows } from "./inbox-move.ts";
import { guardRow } from "./row-limit.ts";
import { inbox } from "./schema.ts";
import type { UnreadableRows } from "./unreadable.ts";

/** How many old rows one pruning removes: the cost of a message never grows with history. */
const PRUNE_ROWS = 50;

const insertRow = statement((database) =>
  database
    .insert(inbox)
    .values(givenRow(inbox, "seq", "turnId"))
    .onConflictDoNothing()
    .returning({ seq: inbox.seq }),
);

/** Readable whatever has become of the message itself. */
const placeColumns = {
  seq: inbox.seq,
  kind: inbox.kind,
  status: inbox.status,
  turnId: inbox.turnId,
  receivedAt: inbox.receivedAt,
};

/** Of two rows the one with the same delivery: it is the very same message. */
const byEitherKey = statement((database) =>
  database
    .select(placeColumns)
    .from(inbox)
    .where(
      or(eq(inbox.deliveryKey, named("deliveryKey")), eq(inbox.identityKey, named("identityKey"))),
    )
    .orderBy(desc(sql`${inbox.deliveryKey} = ${named("deliveryKey")}`)),
);

const byContent = statement((database) =>
  database
    .select(placeColumns)
    .from(inbox)
    .where(and(eq(inbox.contentHash, named("contentHash")), gt(inbox.receivedAt, named("since"))))
    .orderBy(desc(inbox.receivedAt), desc(inbox.seq))
    .limit(limitOf(1)),
);

// Keys are JSON arrays: nothing else can end in the number of a row.
const renameKeys = statement((database) =>
  database
    .update(inbox)
    .set({
      deliveryKey: sql`delivery_key || '#' || seq`,
      identityKey: sql`identity_key || '#' || seq`,
    })
    .where(eq(inbox.seq, named("seq"))),
);

const bySeq = statement((database) =>
  database
    .select(placeColumns)
    .from(inbox)
    .where(eq(inbox.seq, named("seq"))),
);

const newestAt = statement((database) =>
  database.select({ at: inbox.receivedAt }).from(inbox).orderBy(desc(inbox.seq)).limit(limitOf(1)),
);

/**
 * With the status as a literal, like the limit: SQLite plans a query anew for each value of what the
 * condition of a partial index is about.
 */
const openRows = {
  waiting: rowsIn("waiting"),
  taken: rowsIn("taken"),
  buffered: rowsIn("buffered"),
  done: rowsIn("done"),
} as const;

function rowsIn(status: InboxStatus) {
  return statementFor((limit: number) =>
    statement((database) =>
      database
        .select()
        .from(inbox)
        .where(
          and(sql.raw(`status = '${status}' and status <> 'done'`), eq(inbox.kind, named("kind"))),
        )
        .orderBy(asc(inbox.seq))
        .limit(limitOf(limit)),
    ),
  );
}

const byTurn = statement((database) =>
  database
    .select()
    .from(inbox)
    .where(eq(inbox.turnId, named("turnId")))
    .orderBy(asc(inbox.seq)),
);

const markRows = statement((database) =>
  database
    .update(inbox)
    .set({ status: given(inbox.status, "status"), turnId: given(inbox.turnId, "turnId") })
    .where(sql`${inbox.seq} in (select value from json_each(${named("seqs")}))`),
);

const changeToMessage = statement((database) =>
  database
    .update(inbox)
    .set({
      kind: "message",
      message: given(inbox.message, "message"),
      extra: given(inbox.extra, "extra"),
    })
    .where(eq(inbox.seq, named("seq"))),
);

const lastBuffered = sql`select seq from inbox where status <> 'done' and status = 'buffered' order by seq desc limit 1 offset ${named("keep")}`;

const closeBuffered = statement((database) =>
  database
    .update(inbox)
    .set({ status: "done" })
    .where(sql`status <> 'done' and status = 'buffered' and seq <= (${lastBuffered})`),
);

const deleteOld = statement((database) =>
  database
    .delete(inbox)
    .where(
      sql`seq in (select seq from inbox where status = 'done' and received_at < ${named("before")} limit ${sql.raw(`${PRUNE_ROWS}`)})`,
    ),
);

/** Messages and commands that came in, until long after they are done. */
export class InboxTable implements InboxStore {
  readonly #storage: DurableObjectStorage;
  readonly #unreadable: UnreadableRows;
  readonly #reads = new ReadCache();

  constructor(storage: DurableObjectStorage, unreadable: UnreadableRows) {
    this.#storage = storage;
    this.#unreadable = unreadable;
  }

  insert(row: NewInboxRow): number | null {
    guardRow("a message", row);
    const seq = insertRow(this.#storage).get({ ...row })?.seq ?? null;
    const { kind, status, message, extra, receivedAt, notBefore } = row;
    const item = {
      seq: seq ?? 0,
      kind,
      status,
      message,
      extra,
      turnId: null,
      receivedAt,
      notBefore,
    };
    if (seq !== null && status !== "done") this.#join(item);
    return seq;
  }

  findDuplicate({ deliveryKey, identityKey }: DedupeKeys): InboxPlace | null {
    return byEitherKey(this.#storage).get({ deliveryKey, identityKey }) ?? null;
  }

  findByContent(contentHash: string, since: number): InboxPlace | null {
    return byContent(this.#storage).get({ contentHash, since }) ?? null;
  }

  releaseKeys(seq: number): void {
    this.forget();
    renameKeys(this.#storage).run({ seq });
  }

  get(seq: number): InboxPlace | null {
    return bySeq(this.#storage).get({ seq }) ?? null;
  }

  latestAt(): number | null {
    return newestAt(this.#storage).get()?.at ?? null;
  }

  list(status: InboxStatus, kind: InboxKind, limit: number): InboxItem[] {
    const { items } = this.#reads.keep<KeptList>(`${listName(status, kind)}${limit}`, () => ({
      limit,
      items: this.#items(openRows[status](limit)(this.#storage).all({ kind })),
    }));
    return [...items];
  }

  ofTurn(turnId: string): InboxItem[] {
    return this.#items(byTurn(this.#storage).all({ turnId }));
  }

  mark(seqs: readonly number[], status: InboxStatus, turnId: string | null): void {
    if (seqs.length === 0) return;
    this.#reads.change((question, rows) => {
      // A list that was cut short has room for others now; the one of the new status has been joined.
      const { limit, items } = rows as KeptList;
      if (question.startsWith(`${status} `) || items.length === limit) return undefined;
      return { limit, items: items.filter((item) => !seqs.includes(item.seq)) };
    });
    markRows(this.#storage).run({ seqs: JSON.stringify(seqs), status, turnId });
  }

  becomeMessage(seq: number, message: InboundMessage, extra: AcceptExtra = {}): void {
    this.forget();
    changeToMessage(this.#storage).run({ seq, message, extra });
  }

  moveConversation(channel: string, from: string, to: string): void {
    this.forget();
    moveOpenRows(this.#storage).run({ channel, from, to });
  }

  trimBuffered(keep: number): void {
    this.forget();
    closeBuffered(this.#storage).run({ keep });
  }

  prune(before: number): void {
    this.forget();
    deleteOld(this.#storage).run({ before });
  }

  /** After a rollback: what was read meanwhile is not so. */
  forget(): void {
    this.#reads.forget();
  }

  /** A new row is the last of the list it belongs to, if that has room. */
  #join(item: InboxItem): void {
    const place = listName(item.status, item.kind);
    this.#reads.change((question, rows) => {
      if (!question.startsWith(place)) return rows;
      const { limit, items } = rows as KeptList;
      return { limit, items: items.length < limit ? [...items, item] : items };
    });
  }

  #items(rows: readonly Row[]): InboxItem[] {
    return rows.flatMap((row) => toItem(row) ?? this.#note(row) ?? []);
  }

  #note({ seq, status, turnId }: Row): null {
    const close = () => this.mark([seq], "done", turnId);
    return this.#unreadable.note({
      table: "inbox",
      id: `${seq}`,
      ...(status === "done" ? {} : { close }),
    });
  }
}

type Row = typeof inbox.$inferSelect;

function listName(status: InboxStatus, kind: InboxKind): string {
  return `${status} ${kind} `;
}

interface KeptList {
  readonly limit: number;
  readonly items: readonly InboxItem[];
}

/** Null: it cannot be read. */
function toItem(row: Row): InboxItem | null {
  const { seq, kind, status, turnId, receivedAt, notBefore } = row;
  const message = inboundMessageSchema.safeParse(row.message);
  const extra = acceptExtraSchema.safeParse(row.extra);
  if (!message.success || !extra.success) return null;
  return {
    seq,
    kind,
    status,
    message: message.data,
    extra: row.extra as AcceptExtra,
    turnId,
    receivedAt,
    notBefore,
  };
}
