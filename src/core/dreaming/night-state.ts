import { z } from "zod";
import {
  candidateSchema,
  curatedFileSchema,
  type DreamRequest,
  type CuratedFile,
  type CuratedLine,
  type DreamRecord,
  dreamRecordSchema,
  memoryPlanSchema,
  type NightEvidence,
  phaseSignalSchema,
} from "#contract/dreaming.ts";
import type { EarlierFile } from "./taken-out.ts";

/**
 * Where one run of dreaming stands, as data: stored after every step, so that a crash repeats at most
 * the step it happened in. Bounded by the caps of evidence.ts to well under a row's 2 MB.
 */
const nightModes = ["night", "manual", "dry-run"] as const;
export type NightMode = (typeof nightModes)[number];

export const nightSteps = [
  "gather",
  "light",
  "rem",
  "deep",
  "recheck",
  "model",
  "accept",
  "write",
  "report",
  "done",
] as const;
export type NightStep = (typeof nightSteps)[number];

const share = z.number();
const judgedSchema = z.object({
  candidate: candidateSchema,
  parts: z.object({
    relevance: share,
    frequency: share,
    diversity: share,
    recency: share,
    consolidation: share,
    concepts: share,
    light: share,
    rem: share,
  }),
  score: z.number(),
  path: z.enum(["evidence", "asked", "correction"]),
  failed: z.array(
    z.object({
      gate: z.enum(["telling", "new", "score", "recalls", "queries"]),
      why: z.string(),
    }),
  ),
});

export const nightStateSchema = z.object({
  version: z.literal(1),
  runId: z.string(),
  mode: z.enum(nightModes),
  step: z.enum(nightSteps),
  /** Owner's day of the run, and when it began. */
  today: z.string(),
  startedAt: z.number(),
  budget: z.number(),
  /** Whether there is a model to ask. */
  model: z.boolean(),
  /** What earlier nights left. */
  record: dreamRecordSchema,
  /** Why the night was not dreamt, or not to its end. */
  skipped: z
    .enum([
      "too-soon",
      "nothing-new",
      "too-little-new",
      "file-kept-changing",
      "file-unreadable",
      "file-too-large",
    ])
    .nullable(),
  seen: z.array(z.string()),
  /** Emptied when the phases are through. */
  candidates: z.array(candidateSchema),
  signals: z.array(phaseSignalSchema),
  light: z.array(z.object({ text: z.string(), source: z.string(), strength: z.number() })),
  rem: z.object({
    themes: z.array(z.object({ tag: z.string(), candidates: z.number() })),
    truths: z.array(z.object({ text: z.string(), source: z.string(), confidence: z.number() })),
  }),
  ready: z.array(judgedSchema),
  waiting: z.array(judgedSchema),
  outdated: z.array(z.string()),
  more: z.boolean(),
  /** MEMORY.md as it was last read. */
  file: curatedFileSchema,
  answer: z.string().nullable(),
  /** Why the model's answer was not taken. */
  refused: z.string().nullable(),
  plan: memoryPlanSchema.nullable(),
  writes: z.number().int(),
});
export type NightState = z.infer<typeof nightStateSchema>;

/** What has to be done before the state can go on, exactly once under its operation id. */
export type NightNeed =
  | { readonly type: "nothing" }
  /**
   * All lines of the last `days` days, all lines a recall names, and MEMORY.md, also as it was at any time
   * since the last run.
   */
  | { readonly type: "evidence"; readonly days: number; readonly since: number | null }
  /** The files of these sources as they are now, and MEMORY.md. */
  | { readonly type: "sources"; readonly sources: readonly string[] }
  | { readonly type: "model"; readonly request: DreamRequest; readonly operationId: string }
  | {
      readonly type: "write";
      readonly path: "MEMORY.md";
      readonly text: string;
      readonly lines: readonly CuratedLine[];
      readonly ifEtag: string | null;
      readonly operationId: string;
      /** Kept for undoing it; null = there was no file. */
      readonly before: string | null;
    }
  | {
      readonly type: "report";
      readonly appends: readonly ReportAppend[];
      readonly record: DreamRecord;
    };

export interface ReportAppend {
  readonly path: string;
  readonly text: string;
  readonly operationId: string;
}

/** What came of it. */
export type NightInput =
  | { readonly type: "done" }
  | {
      readonly type: "evidence";
      readonly evidence: NightEvidence;
      readonly file: CuratedFile;
      readonly earlier?: readonly EarlierFile[];
    }
  /** Null = there is no model, or it failed. */
  | { readonly type: "answer"; readonly text: string | null }
  /** The file is not what it was when the plan was made. */
  | { readonly type: "changed"; readonly file: CuratedFile };
