import { z } from "zod";
import type { LineOrigin } from "./provenance.ts";
import { trusts, type Trust } from "./transcript.ts";

/**
 * What a night of dreaming is given, what it asks a model, and what is stored of it. Dreaming is the
 * only way by which what was noted becomes curated (MEMORY.md), so everything here is either clean
 * (by the owner, or by the agent in an owner's untainted conversation) or is dropped before anything is
 * counted.
 */

/** A line of a note or of a transcript as it stands there now. */
export interface EvidenceLine {
  readonly path: string;
  /** Of its text (core/memory/line-hash.ts). */
  readonly hash: string;
  readonly text: string;
  readonly origin: LineOrigin;
  /** Owner's day it is about: of a dated source, else of `origin.at` (YYYY-MM-DD). */
  readonly day: string;
  /** Written from outside and not adopted yet. */
  readonly waiting?: true;
  /** Was put into a prompt from memory: nobody said it anew. */
  readonly recalled?: true;
}

/** A passage that a search returned, once per passage, query and day. */
export interface RecallSignal {
  readonly path: string;
  /** Of the line the passage is of, or begins with. */
  readonly hash: string;
  /** Of the row: only clean ones count. */
  readonly trust: Trust;
  /** Hash of the query. */
  readonly query: string;
  /** Owner's day. */
  readonly day: string;
  /** 0 to 1, worked out over clean rows only. */
  readonly score: number;
}

/** Everything that lies there for a night, in any order. */
export interface NightEvidence {
  readonly lines: readonly EvidenceLine[];
  readonly recalls: readonly RecallSignal[];
}

/** Where something is from: `path#hash of the line`. */
export const sourceSchema = z.string();

/** A line that got past the gate: what it says, without list marks, times and speakers. */
export const cleanLineSchema = z.object({
  source: sourceSchema,
  text: z.string(),
  trust: z.enum(["owner", "agent"]),
  day: z.string(),
  at: z.number(),
  /** The owner asked for it to be remembered; `text` is what. */
  explicit: z.boolean(),
});
export type CleanLine = z.infer<typeof cleanLineSchema>;

export const recallSchema = z.object({ query: z.string(), day: z.string(), score: z.number() });
export type Recall = z.infer<typeof recallSchema>;

/** Lines that say the same, under the one that says it best; newest mention last. */
export const candidateSchema = cleanLineSchema.extend({
  mentions: z.array(
    z.object({
      source: sourceSchema,
      day: z.string(),
      at: z.number(),
      trust: z.enum(["owner", "agent"]).optional(),
    }),
  ),
  recalls: z.array(recallSchema),
});
export type Candidate = z.infer<typeof candidateSchema>;

/** What a phase leaves for later nights about a candidate, by the source of its leading line. */
export const phaseSignalSchema = z.object({
  phase: z.enum(["light", "rem"]),
  source: sourceSchema,
  day: z.string(),
  /** 0 to 1. */
  strength: z.number(),
});
export type PhaseSignal = z.infer<typeof phaseSignalSchema>;

/** Something that MEMORY.md says, and what it was made from if a night has. */
export const statementSchema = z.object({ text: z.string(), from: z.array(sourceSchema) });
export type Statement = z.infer<typeof statementSchema>;

/** What was taken out of MEMORY.md by hand, and when. */
export const takenOutSchema = statementSchema.extend({ at: z.number() });
export type TakenOut = z.infer<typeof takenOutSchema>;

/** What is kept of an agent's dreaming from night to night. */
export const dreamRecordSchema = z.object({
  /** End of the latest run that was not skipped. */
  lastAt: z.number().nullable().default(null),
  /** What that run had before it, by short hash. */
  seen: z.array(z.string()).default([]),
  /** Sources that are dealt with: promoted, merged, replaced or retired. They do not come back. */
  settled: z.array(sourceSchema).default([]),
  signals: z.array(phaseSignalSchema).default([]),
  /** More was ready than one night takes. */
  pending: z.boolean().default(false),
  /** What MEMORY.md said at the end of that run, or when a later one wrote it. */
  stated: z.array(statementSchema).default([]),
  /** Since when that is so, if a night wrote it. */
  statedAt: z.number().optional(),
  takenOut: z.array(takenOutSchema).default([]),
});
export type DreamRecord = z.infer<typeof dreamRecordSchema>;

/** MEMORY.md with the class of each line (split at "\n"). */
export const curatedLineSchema = z.object({
  text: z.string(),
  trust: z.enum(trusts),
});
export type CuratedLine = z.infer<typeof curatedLineSchema>;

export const curatedFileSchema = z.object({
  lines: z.array(curatedLineSchema),
  /** Null = there is no such file. */
  etag: z.string().nullable(),
  /** Why its text cannot be read; it has no lines then, and must not be written. */
  unfit: z.string().optional(),
  modifiedAt: z.number().optional(),
});
export type CuratedFile = z.infer<typeof curatedFileSchema>;

const wording = {
  text: z.string(),
  importance: z.number(),
  triggers: z.array(z.string()).default([]),
};

/**
 * What the model may want, by the ids its prompt gives (`E1` entries, `C1` candidates). It can name
 * sources and not make them. What it does not mention stays as it is.
 */
export const dreamAnswerSchema = z.object({
  operations: z
    .array(
      z.discriminatedUnion("action", [
        z.object({ action: z.literal("add"), sources: z.array(z.string()), ...wording }),
        z.object({
          action: z.literal("merge"),
          entries: z.array(z.string()),
          sources: z.array(z.string()).default([]),
          ...wording,
        }),
        z.object({
          action: z.literal("supersede"),
          entry: z.string(),
          sources: z.array(z.string()),
          ...wording,
        }),
        z.object({ action: z.literal("keep"), entry: z.string() }),
      ]),
    )
    .max(200),
  /** Two sentences about the night, in the agent's own voice. */
  diary: z.string().optional(),
});
export type DreamAnswer = z.infer<typeof dreamAnswerSchema>;

/** The one call of a model in a night. */
export interface DreamRequest {
  readonly system: string;
  readonly user: string;
}

export const memoryChangeSchema = z.object({
  type: z.enum(["added", "merged", "superseded", "retired"]),
  /** Null for what is retired. */
  text: z.string().nullable(),
  /** What stood there before. */
  replaced: z.array(z.string()),
  sources: z.array(sourceSchema),
});
export type MemoryChange = z.infer<typeof memoryChangeSchema>;

/** A new MEMORY.md, and how it came about. */
export const memoryPlanSchema = z.object({
  mode: z.enum(["model", "append-only"]),
  lines: z.array(curatedLineSchema),
  changes: z.array(memoryChangeSchema),
  /** Texts for which there was no room. */
  noRoom: z.array(z.string()),
  diary: z.string().nullable(),
});
export type MemoryPlan = z.infer<typeof memoryPlanSchema>;
