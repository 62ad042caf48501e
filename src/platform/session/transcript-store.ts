import { and, asc, count, desc, eq, gt, gte, lt, lte, sql } from "drizzle-orm";
import type { TranscriptStore } from "#contract/session-store.ts";
import {
  transcriptEntrySchema,
  type EntrySize,
  type NewTranscriptEntry,
  type TranscriptEntry,
} from "#contract/transcript.ts";
import { givenRow, limitOf, named, statement } from "#platform/statement.ts";
import { guardRow } from "./row-limit.ts";
import { entry } from "./schema.ts";
import type { UnreadableRows } from "./unreadable.ts";

/** Of a page: it is in memory several times over while it is written somewhere. */
const PAGE_BYTES = 4_000_000;
const pageSize = { seq: entry.seq, bytes: sql<number>`octet_length(body)` };

const insertRow = statement((database) =>
  database.insert(entry).values(givenRow(entry, "seq")).returning({ seq: entry.seq }),
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

/** Which entries a page may have; their sizes cost no reading. */
const sizesAfter = statement((database) =>
  database
    .select(pageSize)
    .from(entry)
    .where(gt(entry.seq, named("afterSeq")))
    .orderBy(asc(entry.seq))
    .limit(named("limit")),
);

const sizesOfPage = statement((database) =>
  database
    .select(pageSize)
    .from(entry)
    .where(ofSession)
    .orderBy(asc(entry.seq))
    .limit(named("limit")),
);

const between = and(gte(entry.seq, named("first")), lte(entry.seq, named("last")));

const rowsBetween = statement((database) =>
  database.select().from(entry).where(between).orderBy(asc(entry.seq)),
);

const rowsOfPage = statement((database) =>
  database
    .select()
    .from(entry)
    .where(and(eq(entry.sessionId, named("sessionId")), between))
    .orderBy(asc(entry.seq)),
);

const anyUntrusted = statement((database) =>
  database
    .select({ seq: entry.seq })
    .from(entry)
    .where(and(ofSession, sql`trust = 'untrusted'`))
    .limit(limitOf(1)),
);

const countRows = statement((database) =>
  database
    .select({ n: count() })
    .from(entry)
    .where(eq(entry.sessionId, named("sessionId"))),
);

const lastRows = statement((database) =>
  database
    .select()
    .from(entry)
    .where(eq(entry.sessionId, named("sessionId")))
    .orderBy(desc(entry.seq))
    .limit(named("limit")),
);

const rowsBefore = statement((database) =>
  database
    .select()
    .from(entry)
    .where(lt(entry.seq, named("seq")))
    .orderBy(desc(entry.seq))
    .limit(named("limit")),
);

const newestRow = statement((database) =>
  database.select({ seq: entry.seq }).from(entry).orderBy(desc(entry.seq)).limit(limitOf(1)),
);

const oldestRow = statement((database) =>
  database
    .select({ seq: entry.seq, sessionId: entry.sessionId, at: entry.at })
    .from(entry)
    .orderBy(asc(entry.seq))
    .limit(limitOf(1)),
);

/** The entries that go into requests, as they were last read or written. */
interface Window {
  readonly sessionId: string;
  readonly fromSeq: number;
  readonly entries: readonly TranscriptEntry[];
}

/**
 * The append-only transcript. Nothing here updates a row, and only what stands elsewhere is deleted. What
 * the next request will need is kept in memory while the object is, so that a long conversation is read once
 * and not for every message.
 */
export class TranscriptTable implements TranscriptStore {
  readonly #storage: DurableObjectStorage;
  readonly #unreadable: UnreadableRows;
  #window: Window | null = null;

  constructor(storage: DurableObjectStorage, unreadable: UnreadableRows) {
    this.#storage = storage;
    this.#unreadable = unreadable;
  }

  append(row: NewTranscriptEntry): number {
    const { sessionId, turnId, at, role, trust, tokens, ...body } = row;
    guardRow("a transcript entry", body);
    const values = { sessionId, turnId, at, role, trust, tokens: Math.ceil(tokens), body };
    const { seq } = insertRow(this.#storage).get(values);
    const stored = { ...row, tokens: values.tokens, seq } as TranscriptEntry;
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
        : this.#entries(fromRow(this.#storage).all({ sessionId, fromSeq }));
    this.#window = { sessionId, fromSeq, entries };
    return [...entries];
  }

  sizes(sessionId: string, fromSeq: number): EntrySize[] {
    return sizesFrom(this.#storage).all({ sessionId, fromSeq });
  }

  page(afterSeq: number, limit: number): TranscriptEntry[] {
    const bounds = boundsOf(sizesAfter(this.#storage).all({ afterSeq, limit }));
    if (!bounds) return [];
    const entries = this.#entries(rowsBetween(this.#storage).all(bounds));
    // An empty page would say that there is no more.
    return entries.length > 0 ? entries : this.page(bounds.last, limit);
  }

  pageOf(sessionId: string, fromSeq: number, limit: number): TranscriptEntry[] {
    const bounds = boundsOf(sizesOfPage(this.#storage).all({ sessionId, fromSeq, limit }));
    if (!bounds) return [];
    const entries = this.#entries(rowsOfPage(this.#storage).all({ sessionId, ...bounds }));
    return entries.length > 0 ? entries : this.pageOf(sessionId, bounds.last + 1, limit);
  }

  tainted(sessionId: string, fromSeq: number): boolean {
    return anyUntrusted(this.#storage).get({ sessionId, fromSeq }) !== undefined;
  }

  count(sessionId: string): number {
    return countRows(this.#storage).get({ sessionId })?.n ?? 0;
  }

  tail(sessionId: string, limit: number): TranscriptEntry[] {
    return this.#entries(lastRows(this.#storage).all({ sessionId, limit }).toReversed());
  }

  before(seq: number, limit: number): TranscriptEntry[] {
    return this.#entries(rowsBefore(this.#storage).all({ seq, limit }).toReversed());
  }

  latestSeq(): number {
    return newestRow(this.#storage).get({})?.seq ?? this.#lastGiven();
  }

  oldest(): Pick<TranscriptEntry, "seq" | "sessionId" | "at"> | null {
    return oldestRow(this.#storage).get({}) ?? null;
  }

  bytesAfter(afterSeq: number, limit: number): { seq: number; bytes: number }[] {
    return sizesAfter(this.#storage).all({ afterSeq, limit });
  }

  remove(seqs: readonly number[]): number {
    const which = "seq IN (SELECT value FROM json_each(?))";
    const { sql } = this.#storage;
    const list = JSON.stringify(seqs);
    const [row] = sql.exec(`SELECT sum(octet_length(body)) AS n FROM entry WHERE ${which}`, list);
    sql.exec(`DELETE FROM entry WHERE ${which}`, list);
    this.forget();
    return Number(row?.["n"] ?? 0);
  }

  /** Numbers are never given twice, also when nothing is left that has one. */
  #lastGiven(): number {
    const query = "SELECT seq FROM sqlite_sequence WHERE name = 'entry'";
    const [row] = this.#storage.sql.exec<{ seq: number }>(query);
    return row?.seq ?? 0;
  }

  /** After a rollback: what was read meanwhile is not so. */
  forget(): void {
    this.#window = null;
  }

  #entries(rows: readonly Row[]): TranscriptEntry[] {
    return rows.flatMap(
      (row) => toEntry(row) ?? this.#unreadable.note({ table: "entry", id: `${row.seq}` }) ?? [],
    );
  }
}

type Row = typeof entry.$inferSelect;

/** From the first entry to the last that still has room, the first in any case; null = none. */
function boundsOf(sizes: readonly { readonly seq: number; readonly bytes: number }[]) {
  const first = sizes[0]?.seq;
  if (first === undefined) return null;
  let last = first;
  let sum = 0;
  for (const { seq, bytes } of sizes) {
    sum += bytes;
    if (seq !== first && sum > PAGE_BYTES) break;
    last = seq;
  }
  return { first, last };
}

/** Null: it cannot be read. */
function toEntry({ body, ...columns }: Row): TranscriptEntry | null {
  const whole = { ...(typeof body === "object" ? body : {}), ...columns };
  return transcriptEntrySchema.safeParse(whole).data ?? null;
}
