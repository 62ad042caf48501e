import type { PersonKind } from "./person.ts";
import { finished, isPreview, notices, type Play, type Scene } from "./scenario.ts";
import { countWord } from "./words.ts";

/** What a run came to, as the person saw it. */
export interface Verdict {
  readonly scenario: string;
  readonly kind: PersonKind;
  /** Where the Worker was killed. */
  readonly kills: readonly string[];
  /** False when a place was not reached: then nothing was proved there. */
  readonly reached: boolean;
  /** Answers that are not readable, whether announced as missing or not, after /again where offered. */
  readonly lost: readonly string[];
  /** Answers that were readable twice before anybody asked for them again. */
  readonly duplicated: readonly string[];
  /** Nothing happened any more although something was open. */
  readonly stuck: boolean;
  readonly unsafeRepeats: number;
  /** Notices that something may not have arrived. */
  readonly notices: number;
  /** Unfinished previews that stay. */
  readonly orphans: number;
  readonly problems: readonly string[];
  /** Milliseconds from the Worker's being up again to the answer, or the notice, being readable. */
  readonly recoveryMs: number;
  readonly restartMs: number;
}

export function wrong(verdict: Verdict): boolean {
  const { kind, lost, duplicated, stuck, unsafeRepeats, orphans, problems, scenario } = verdict;
  const edits = scenario === "preview" && kind !== "telegram-direct";
  return (
    lost.length + duplicated.length + unsafeRepeats + problems.length > 0 ||
    stuck ||
    orphans > (edits ? verdict.kills.length : 0)
  );
}

/** Everything the person waited for is there, or they were told that it may be missing. */
export function isSettled({ person }: Scene, { answers }: Play): boolean {
  if (person.waiting()) return false;
  const texts = finished(person);
  return answers.every((word) => countWord(texts, word) > 0) || notices(person) > 0;
}

export function missing({ person }: Scene, { answers }: Play): string[] {
  const texts = finished(person);
  return answers.filter((word) => countWord(texts, word) === 0);
}

export function repeated({ person }: Scene, { answers, maybe = [] }: Play): string[] {
  const texts = finished(person);
  return [...answers, ...maybe].filter((word) => countWord(texts, word) > 1);
}

export function countUnsafeRepeats({ stage }: Scene, { unsafe = [] }: Play): number {
  return unsafe.reduce((sum, word) => sum + Math.max(0, stage.rung(word) - 1), 0);
}

export function countOrphans({ person }: Scene): number {
  return person.visible().filter(isPreview).length;
}
