import { expect } from "vitest";
import { createRandom, type Random } from "./random.ts";
import { summarise } from "./suite.ts";
import { wrong, type Verdict } from "./verdict.ts";

/** Of random places: another one in each run. The same places again: CRASH_SEED=… npx vitest … */
const seed = Number(process.env["CRASH_SEED"] ?? Date.now() % 1_000_000_000);

/** For one test: it chooses the same places whichever tests run before it. */
export function randomFor(name: string): Random {
  console.log(`${name}: CRASH_SEED=${seed}`);
  return createRandom(seed);
}

/** Nobody may have noticed more of any kill than a notice, and each was at its place. Prints the figures. */
export function expectSurvival(name: string, verdicts: readonly Verdict[]): void {
  const summary = summarise(verdicts);
  console.log(`${name}: ${JSON.stringify(summary)}`);
  expect(verdicts.filter(wrong)).toEqual([]);
  expect(verdicts.filter(({ reached }) => !reached)).toEqual([]);
}
