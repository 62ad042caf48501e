import { and, asc, count, eq, gt, gte, sql } from "drizzle-orm";
import type { TranscriptStore } from "#contract/session-store.ts";
import {
  transcriptEntrySchema,
  type EntrySize,
  type NewTranscriptEntry,
  type TranscriptEntry,
} from "#contract/transcript.ts";
import { givenRow, statement } from "#platform/statement.ts";
import { guardRow } from "./row-limit.ts";
import { entry } from "./schema.ts";

const named = sql.placeholder;

const insertRow = statement((database) =>
  database.insert(entry).values(givenRow(entry, "seq")).returning(),
);

const ofSession = and(eq(entry.sessionId, named("sessionId")), gte(entry.seq, named("fromSeq")));

const fromRow = statement((database) =>
  database.select().from(entry).where(ofSession).orderBy(asc(entry.seq)),
);

const sizesFrom = statement((database) =>
  database
    .select({ seq: entry.seq, turnId: entry.turnId, role: entry.role, tokens: entry.tokens })
    .from(entry)
    .where(ofSession)
    .orderBy(asc(entry.seq)),
);

const pageAfter = statement((database) =>
  database
    .select()
    .from(entry)
    .where(gt(entry.seq, named("afterSeq")))
    .orderBy(asc(entry.seq))
    .limit(named("limit")),
);

const pageFrom = statement((database) =>
  database.select().from(entry).where(ofSession).orderBy(asc(entry.seq)).limit(named("limit")),
);

const byTurn = statement((database) =>
  database
    .select()
    .from(entry)
    .where(eq(entry.turnId, named("turnId")))
    .orderBy(asc(entry.seq)),
);

const anyUntrusted = statement((database) =>
  database
    .select({ seq: entry.seq })
    .from(entry)
    .where(and(ofSession, sql`trust = 'untrusted'`))
    .limit(1),
);

const countRows = statement((database) =>
  database
    .select({ n: count() })
    .from(entry)
    .where(eq(entry.sessionId, named("sessionId"))),
);

/** The entries that go into requests, as they were last read or written. */
interface Window {
  readonly sessionId: string;
  readonly fromSeq: number;
  readonly entries: readonly TranscriptEntry[];
}

/**
 * The append-only transcript. Nothing here updates or deletes a row. What the next request will need is
 * kept in memory while the object is, so that a long conversation is read once and not for every message.
 */
export class TranscriptTable implements TranscriptStore {
  readonly #storage: DurableObjectStorage;
  #window: Window | null = null;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  append(row: NewTranscriptEntry): number {
    const { sessionId, turnId, at, role, trust, tokens, ...body } = row;
    guardRow("a transcript entry", body);
    const values = { sessionId, turnId, at, role, trust, tokens: Math.ceil(tokens), body };
    const stored = toEntry(insertRow(this.#storage).get(values));
    if (this.#window?.sessionId === sessionId) {
      this.#window = { ...this.#window, entries: [...this.#window.entries, stored] };
    }
    return stored.seq;
  }

  since(sessionId: string, fromSeq: number): TranscriptEntry[] {
    const known = this.#window;
    const entries =
      known?.sessionId === sessionId && known.fromSeq <= fromSeq
        ? known.entries.filter((each) => each.seq >= fromSeq)
        : fromRow(this.#storage).all({ sessionId, fromSeq }).map(toEntry);
    this.#window = { sessionId, fromSeq, entries };
    return [...entries];
  }

  sizes(sessionId: string, fromSeq: number): EntrySize[] {
    return sizesFrom(this.#storage).all({ sessionId, fromSeq });
  }

  page(afterSeq: number, limit: number): TranscriptEntry[] {
    return pageAfter(this.#storage).all({ afterSeq, limit }).map(toEntry);
  }

  pageOf(sessionId: string, fromSeq: number, limit: number): TranscriptEntry[] {
    return pageFrom(this.#storage).all({ sessionId, fromSeq, limit }).map(toEntry);
  }

  ofTurn(turnId: string): TranscriptEntry[] {
    return byTurn(this.#storage).all({ turnId }).map(toEntry);
  }

  tainted(sessionId: string, fromSeq: number): boolean {
    return anyUntrusted(this.#storage).get({ sessionId, fromSeq }) !== undefined;
  }

  count(sessionId: string): number {
    return countRows(this.#storage).get({ sessionId })?.n ?? 0;
  }

  /** After a rollback: what was read meanwhile is not so. */
  forget(): void {
    this.#window = null;
  }
}

function toEntry(row: typeof entry.$inferSelect): TranscriptEntry {
  const { body, ...columns } = row;
  return transcriptEntrySchema.parse({ ...(body as object), ...columns });
}
