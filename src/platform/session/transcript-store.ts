import { and, asc, count, eq, gt, gte } from "drizzle-orm";
import type { TranscriptStore } from "#contract/session-store.ts";
import {
  transcriptEntrySchema,
  type NewTranscriptEntry,
  type TranscriptEntry,
} from "#contract/transcript.ts";
import { guardRow, type SessionDatabase } from "./database.ts";
import { entry } from "./schema.ts";

/** The append-only transcript. Nothing here updates or deletes a row. */
export function createTranscriptStore(database: SessionDatabase): TranscriptStore {
  return {
    append(row) {
      const { sessionId, turnId, at, role, trust, tokens, ...body } = row;
      const stored = { sessionId, turnId, at, role, trust, tokens: Math.ceil(tokens) };
      const inserted = database
        .insert(entry)
        .values({ ...stored, body: guardRow("a transcript entry", toJson(body)) })
        .returning({ seq: entry.seq })
        .get();
      return inserted.seq;
    },

    since(sessionId, fromSeq) {
      return database
        .select()
        .from(entry)
        .where(and(eq(entry.sessionId, sessionId), gte(entry.seq, fromSeq)))
        .orderBy(asc(entry.seq))
        .all()
        .map(toEntry);
    },

    sizes(sessionId, fromSeq) {
      return database
        .select({ seq: entry.seq, turnId: entry.turnId, role: entry.role, tokens: entry.tokens })
        .from(entry)
        .where(and(eq(entry.sessionId, sessionId), gte(entry.seq, fromSeq)))
        .orderBy(asc(entry.seq))
        .all();
    },

    page(afterSeq, limit) {
      return database
        .select()
        .from(entry)
        .where(gt(entry.seq, afterSeq))
        .orderBy(asc(entry.seq))
        .limit(limit)
        .all()
        .map(toEntry);
    },

    ofTurn(turnId) {
      return database
        .select()
        .from(entry)
        .where(eq(entry.turnId, turnId))
        .orderBy(asc(entry.seq))
        .all()
        .map(toEntry);
    },

    count(sessionId) {
      const row = database
        .select({ n: count() })
        .from(entry)
        .where(eq(entry.sessionId, sessionId))
        .get();
      return row?.n ?? 0;
    },
  };
}

type Body = Omit<
  NewTranscriptEntry,
  "sessionId" | "turnId" | "at" | "role" | "trust" | "tokens"
>;

function toJson(body: Body): typeof entry.$inferInsert.body {
  return JSON.parse(JSON.stringify(body)) as typeof entry.$inferInsert.body;
}

function toEntry(row: typeof entry.$inferSelect): TranscriptEntry {
  const { body, ...columns } = row;
  return transcriptEntrySchema.parse({ ...(body as object), ...columns });
}
