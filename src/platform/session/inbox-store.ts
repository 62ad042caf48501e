import { and, asc, desc, eq, gt, inArray, sql } from "drizzle-orm";
import type { AcceptExtra, InboxItem, InboxKind, InboxStatus } from "#contract/inbox.ts";
import type { InboundMessage } from "#contract/message.ts";
import type { DedupeKeys, InboxStore, NewInboxRow } from "#contract/session-store.ts";
import { guardRow, type SessionDatabase } from "./database.ts";
import { inbox } from "./schema.ts";

/** How many old rows one pruning removes: the cost of a message never grows with history. */
const PRUNE_ROWS = 50;

const open = sql`${inbox.status} <> 'done'`;

export class InboxTable implements InboxStore {
  readonly #database: SessionDatabase;

  constructor(database: SessionDatabase) {
    this.#database = database;
  }

  insert(row: NewInboxRow): number | null {
    guardRow("a message", row);
    const inserted = this.#database
      .insert(inbox)
      .values({ ...row, turnId: null })
      .onConflictDoNothing()
      .returning({ seq: inbox.seq })
      .get() as { seq: number } | undefined;
    return inserted?.seq ?? null;
  }

  findDuplicate({ deliveryKey, identityKey }: DedupeKeys): InboxItem | null {
    const byDelivery = this.#database
      .select()
      .from(inbox)
      .where(eq(inbox.deliveryKey, deliveryKey))
      .get();
    const row =
      byDelivery ??
      this.#database.select().from(inbox).where(eq(inbox.identityKey, identityKey)).get();
    return row ? toItem(row) : null;
  }

  findByContent(contentHash: string, since: number): InboxItem | null {
    const row = this.#database
      .select()
      .from(inbox)
      .where(and(eq(inbox.contentHash, contentHash), gt(inbox.receivedAt, since)))
      .orderBy(desc(inbox.receivedAt), desc(inbox.seq))
      .limit(1)
      .get();
    return row ? toItem(row) : null;
  }

  releaseKeys(seq: number): void {
    // Keys are JSON arrays: nothing else can end in the number of a row.
    this.#database
      .update(inbox)
      .set({
        deliveryKey: sql`delivery_key || '#' || seq`,
        identityKey: sql`identity_key || '#' || seq`,
      })
      .where(eq(inbox.seq, seq))
      .run();
  }

  get(seq: number): InboxItem | null {
    const row = this.#database.select().from(inbox).where(eq(inbox.seq, seq)).get();
    return row ? toItem(row) : null;
  }

  list(status: InboxStatus, kind: InboxKind, limit: number): InboxItem[] {
    return this.#database
      .select()
      .from(inbox)
      .where(and(open, eq(inbox.status, status), eq(inbox.kind, kind)))
      .orderBy(asc(inbox.seq))
      .limit(limit)
      .all()
      .map(toItem);
  }

  ofTurn(turnId: string): InboxItem[] {
    return this.#database
      .select()
      .from(inbox)
      .where(eq(inbox.turnId, turnId))
      .orderBy(asc(inbox.seq))
      .all()
      .map(toItem);
  }

  mark(seqs: readonly number[], status: InboxStatus, turnId: string | null): void {
    if (seqs.length === 0) return;
    this.#database
      .update(inbox)
      .set({ status, turnId })
      .where(inArray(inbox.seq, [...seqs]))
      .run();
  }

  becomeMessage(seq: number, message: InboundMessage, extra: AcceptExtra = {}): void {
    this.#database
      .update(inbox)
      .set({ kind: "message", message, extra })
      .where(eq(inbox.seq, seq))
      .run();
  }

  trimBuffered(keep: number): void {
    this.#database.run(
      sql`update inbox set status = 'done' where status <> 'done' and status = 'buffered' and seq <= (select seq from inbox where status <> 'done' and status = 'buffered' order by seq desc limit 1 offset ${keep})`,
    );
  }

  prune(before: number): void {
    this.#database.run(
      sql`delete from inbox where seq in (select seq from inbox where status = 'done' and received_at < ${before} limit ${PRUNE_ROWS})`,
    );
  }
}

function toItem(row: typeof inbox.$inferSelect): InboxItem {
  const { seq, kind, status, message, extra, turnId, receivedAt, notBefore } = row;
  return { seq, kind, status, message, extra, turnId, receivedAt, notBefore };
}
