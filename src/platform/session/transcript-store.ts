import { and, asc, count, eq, gt, gte, sql } from "drizzle-orm";
import type { TranscriptStore } from "#contract/session-store.ts";
import {
  transcriptEntrySchema,
  type EntrySize,
  type NewTranscriptEntry,
  type TranscriptEntry,
} from "#contract/transcript.ts";
import { guardRow, type SessionDatabase } from "./database.ts";
import { entry } from "./schema.ts";

/** The append-only transcript. Nothing here updates or deletes a row. */
export class TranscriptTable implements TranscriptStore {
  readonly #database: SessionDatabase;

  constructor(database: SessionDatabase) {
    this.#database = database;
  }

  append(row: NewTranscriptEntry): number {
    const { sessionId, turnId, at, role, trust, tokens, ...body } = row;
    const stored = { sessionId, turnId, at, role, trust, tokens: Math.ceil(tokens) };
    const inserted = this.#database
      .insert(entry)
      .values({ ...stored, body: guardRow("a transcript entry", toJson(body)) })
      .returning({ seq: entry.seq })
      .get();
    return inserted.seq;
  }

  since(sessionId: string, fromSeq: number): TranscriptEntry[] {
    return this.#database
      .select()
      .from(entry)
      .where(and(eq(entry.sessionId, sessionId), gte(entry.seq, fromSeq)))
      .orderBy(asc(entry.seq))
      .all()
      .map(toEntry);
  }

  sizes(sessionId: string, fromSeq: number): EntrySize[] {
    return this.#database
      .select({ seq: entry.seq, turnId: entry.turnId, role: entry.role, tokens: entry.tokens })
      .from(entry)
      .where(and(eq(entry.sessionId, sessionId), gte(entry.seq, fromSeq)))
      .orderBy(asc(entry.seq))
      .all();
  }

  page(afterSeq: number, limit: number): TranscriptEntry[] {
    return this.#database
      .select()
      .from(entry)
      .where(gt(entry.seq, afterSeq))
      .orderBy(asc(entry.seq))
      .limit(limit)
      .all()
      .map(toEntry);
  }

  pageOf(sessionId: string, fromSeq: number, limit: number): TranscriptEntry[] {
    return this.#database
      .select()
      .from(entry)
      .where(and(eq(entry.sessionId, sessionId), gte(entry.seq, fromSeq)))
      .orderBy(asc(entry.seq))
      .limit(limit)
      .all()
      .map(toEntry);
  }

  ofTurn(turnId: string): TranscriptEntry[] {
    return this.#database
      .select()
      .from(entry)
      .where(eq(entry.turnId, turnId))
      .orderBy(asc(entry.seq))
      .all()
      .map(toEntry);
  }

  tainted(sessionId: string, fromSeq: number): boolean {
    const row = this.#database
      .select({ seq: entry.seq })
      .from(entry)
      .where(and(eq(entry.sessionId, sessionId), gte(entry.seq, fromSeq), sql`trust = 'untrusted'`))
      .limit(1)
      .get();
    return row !== undefined;
  }

  count(sessionId: string): number {
    const row = this.#database
      .select({ n: count() })
      .from(entry)
      .where(eq(entry.sessionId, sessionId))
      .get();
    return row?.n ?? 0;
  }
}

type Body = Omit<NewTranscriptEntry, "sessionId" | "turnId" | "at" | "role" | "trust" | "tokens">;

function toJson(body: Body): typeof entry.$inferInsert.body {
  return JSON.parse(JSON.stringify(body)) as typeof entry.$inferInsert.body;
}

function toEntry(row: typeof entry.$inferSelect): TranscriptEntry {
  const { body, ...columns } = row;
  return transcriptEntrySchema.parse({ ...(body as object), ...columns });
}
