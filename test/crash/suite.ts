import { expect } from "vitest";
import { placeName, type Place } from "./boundary.ts";
import type { PersonKind } from "./person.ts";
import type { Random } from "./random.ts";
import { perform } from "./run.ts";
import type { Scenario } from "./scenario.ts";
import type { Stage } from "./stage.ts";
import { wrong, type Verdict } from "./verdict.ts";

/** What the test files of this folder do with runs. */
export interface Case {
  readonly scenario: Scenario;
  readonly kind: PersonKind;
  readonly at: Place;
}

/** All places of a scenario, found by a run without a kill, which must itself go well. */
export async function casesOf(stage: Stage, scenario: Scenario, kind: PersonKind): Promise<Case[]> {
  const { places, verdict } = await perform(stage, scenario, kind);
  expect(verdict, "without a kill").toSatisfy((one: Verdict) => !wrong(one));
  return places.map((at) => ({ scenario, kind, at }));
}

/** Repeats a selection: CRASH_SEED=… npx vitest run --project crash. */
export const seed = Number(process.env["CRASH_SEED"] ?? 20261129);

/**
 * Kills at each of the places, with `second` once more soon after the restart, and expects that nobody
 * noticed more than a notice.
 */
export async function survive(
  stage: Stage,
  cases: readonly Case[],
  second?: Random,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const { scenario, kind, at } of cases) {
    const again = second ? { thenAfter: 1 + second.below(4) } : {};
    const { verdict } = await perform(stage, scenario, kind, { at, ...again });
    verdicts.push(verdict);
    if (wrong(verdict)) console.log(`wrong: ${placeName(at)} ${JSON.stringify(verdict)}`);
  }
  report(verdicts);
  expect(verdicts.filter(wrong)).toEqual([]);
  // A place that depends on time may pass a run by; most must not.
  expect(verdicts.filter(({ reached }) => reached).length).toBeGreaterThan(verdicts.length * 0.7);
  return verdicts;
}

function report(verdicts: readonly Verdict[]): void {
  const times = verdicts.map(({ recoveryMs }) => recoveryMs).toSorted((a, b) => a - b);
  const sum = (pick: (verdict: Verdict) => number) =>
    verdicts.reduce((total, verdict) => total + pick(verdict), 0);
  console.log(
    [
      `${verdicts.length} kills`,
      `${verdicts.filter(({ reached }) => !reached).length} not reached`,
      `${sum(({ notices }) => notices)} notices`,
      `${sum(({ orphans }) => orphans)} orphans`,
      `recovery p50 ${times[Math.floor(times.length / 2)] ?? 0} ms, longest ${times.at(-1) ?? 0} ms`,
    ].join(", "),
  );
}
