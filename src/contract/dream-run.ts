import { z } from "zod";
import { memoryChangeSchema } from "./dreaming.ts";

/** Runs of dreaming, as people ask for them and are told of them. */
export const dreamModes = ["night", "manual", "dry-run"] as const;
export type DreamMode = (typeof dreamModes)[number];

/** How a run ended. */
export const dreamOutcomeSchema = z.object({
  runId: z.string(),
  mode: z.enum(dreamModes),
  startedAt: z.number(),
  endedAt: z.number(),
  /** One line of what it did, or why it did nothing. */
  summary: z.string(),
  changes: z.array(memoryChangeSchema),
  /** Texts for which there was no room. */
  noRoom: z.array(z.string()),
  /** What waits for more evidence, with what it lacks. */
  waiting: z.array(z.object({ text: z.string(), lacks: z.string() })),
  /** What the week was about, and what one comes back to: seen, not written anywhere but the reports. */
  themes: z.array(z.string()).default([]),
  truths: z.array(z.string()).default([]),
  diary: z.string().nullable(),
  /** MEMORY.md was put back to what it was before. */
  undone: z.boolean().optional(),
});
export type DreamOutcome = z.infer<typeof dreamOutcomeSchema>;

export interface DreamStatus {
  readonly enabled: boolean;
  /** The run that is under way; null = none. */
  readonly running: { readonly runId: string; readonly step: string } | null;
  /** The latest first. */
  readonly outcomes: readonly DreamOutcome[];
}

export type UndoReport =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string };

/** What may be asked of an agent's dreaming. */
export interface Dreaming {
  /** Begins a run unless one is under way; returns the id of the one that runs. */
  start(mode: DreamMode, key: string): Promise<string>;
  status(): Promise<DreamStatus>;
  /** Whether it dreams by itself at night. */
  switch(on: boolean): Promise<void>;
  /** Why something would, or would not, be promoted: lines for people. */
  explain(text: string): Promise<string>;
  /** Puts MEMORY.md back to before a night; the latest if none is named. `force`: over later edits. */
  undo(runId: string | null, force: boolean, key: string): Promise<UndoReport>;
}

/** Values under names, each of some hundred kilobytes at most. Synchronous. */
export interface Documents {
  /** Undefined when there is none, or it cannot be read. */
  get(name: string): unknown;
  put(name: string, value: unknown): void;
  remove(name: string): void;
  transaction<T>(work: () => T): T;
}
