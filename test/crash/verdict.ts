import { setTimeout as sleep } from "node:timers/promises";
import { eventually } from "#test/harness/wait.ts";
import type { Person, PersonKind } from "./person.ts";
import { finished, isPreview, notices, type Play, type Scene } from "./scenario.ts";
import { countWord } from "./words.ts";

/** What a run came to, as the person saw it. */
export interface Verdict {
  readonly scenario: string;
  readonly kind: PersonKind;
  /** Where the Worker was killed. */
  readonly kills: readonly string[];
  /** False when the place was not reached: then nothing was proved there. */
  readonly reached: boolean;
  /** Answers that are not readable in the end, after /again where a notice offered it. */
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

type Judged = Pick<
  Verdict,
  "lost" | "duplicated" | "stuck" | "unsafeRepeats" | "notices" | "orphans" | "problems"
>;

export function wrong(verdict: Verdict): boolean {
  const { lost, duplicated, stuck, unsafeRepeats, problems } = verdict;
  const words = lost.length + duplicated.length + problems.length;
  return words + unsafeRepeats > 0 || stuck || verdict.orphans > orphansAllowed(verdict);
}

/** One preview left behind by each killed step, and only where previews are messages. */
function orphansAllowed({ scenario, kind, kills }: Verdict): number {
  return scenario === "preview" && kind !== "telegram-direct" ? kills.length : 0;
}

/** Everything the person waited for is there, or they were told that it may be missing. */
export function isSettled({ person }: Scene, { answers }: Play): boolean {
  if (person.waiting()) return false;
  const texts = finished(person);
  return answers.every((word) => countWord(texts, word) > 0) || notices(person) > 0;
}

export interface JudgeOptions {
  /** How often the Worker was killed. */
  readonly kills: number;
  /** Longer than this nothing may take. */
  readonly stuckMs: number;
}

export async function judge(
  scene: Scene,
  play: Play,
  { kills, stuckMs }: JudgeOptions,
): Promise<Judged> {
  const { person } = scene;
  await person.repeatAll();
  // Twice: what was queued while the first answer was, such as a notice, is then there too.
  const idle = (await becomesIdle(person, stuckMs)) && (await becomesIdle(person, stuckMs));
  await holds(() => countOrphans(person) === 0, 2_500);
  const duplicated = repeated(scene, play);
  const told = notices(person);
  if (told > 0) {
    await person.say("/again");
    await holds(() => missing(scene, play).length === 0, 5_000);
    await becomesIdle(person, stuckMs);
  }
  const tooMany = notices(person) > Math.max(1, kills) ? [`${notices(person)} notices`] : [];
  return {
    lost: missing(scene, play),
    duplicated,
    stuck: !idle,
    unsafeRepeats: countUnsafeRepeats(scene, play),
    notices: told,
    orphans: countOrphans(person),
    problems: [...tooMany, ...(play.problems?.() ?? [])],
  };
}

function missing({ person }: Scene, { answers }: Play): string[] {
  const texts = finished(person);
  return answers.filter((word) => countWord(texts, word) === 0);
}

function repeated({ person }: Scene, { answers, maybe = [] }: Play): string[] {
  const texts = finished(person);
  return [...answers, ...maybe].filter((word) => countWord(texts, word) > 1);
}

function countUnsafeRepeats({ stage }: Scene, { unsafe = [] }: Play): number {
  return unsafe.reduce((sum, word) => sum + Math.max(0, stage.rung(word) - 1), 0);
}

function countOrphans(person: Person): number {
  return person.visible().filter(isPreview).length;
}

/** Asks /status until it says that nothing runs and nothing waits. */
async function becomesIdle(person: Person, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    const before = statuses(person).length;
    await person.say("/status");
    if (!(await holds(() => statuses(person).length > before, timeoutMs))) return false;
    const latest = statuses(person).at(-1) ?? "";
    if (latest.includes("Running: nothing") && !latest.includes("Waiting:")) return true;
    await sleep(100);
  }
  return false;
}

function statuses(person: Person): string[] {
  return finished(person).filter((text) => text.includes("Running: "));
}

/** Does it come to hold within the time? */
export async function holds(condition: () => boolean, timeoutMs: number): Promise<boolean> {
  try {
    return await eventually(condition, { timeoutMs });
  } catch {
    return false; // Not within the time: that is the answer.
  }
}
