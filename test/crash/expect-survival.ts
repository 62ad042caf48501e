import { expect } from "vitest";
import { summarise } from "./suite.ts";
import { wrong, type Verdict } from "./verdict.ts";

/** The seed of random places. Repeats a selection: CRASH_SEED=… npx vitest run --project crash. */
export const seed = Number(process.env["CRASH_SEED"] ?? 20261129);

/** Nobody may have noticed more of any kill than a notice. Prints the figures. */
export function expectSurvival(name: string, verdicts: readonly Verdict[]): void {
  const summary = summarise(verdicts);
  console.log(`${name}: ${JSON.stringify(summary)}`);
  expect(verdicts.filter(wrong)).toEqual([]);
  // A place that depends on time may pass a run by; most must not.
  expect(summary.notReached).toBeLessThan(verdicts.length / 4);
}
