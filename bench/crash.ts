import type { PersonKind } from "#test/crash/person.ts";
import { createRandom } from "#test/crash/random.ts";
import { scenarios } from "#test/crash/scenarios.ts";
import { Stage } from "#test/crash/stage.ts";
import { findCases, killAtAll, partsOf, summarise, type Case } from "#test/crash/suite.ts";
import { wrong, type Verdict } from "#test/crash/verdict.ts";
import { progress } from "./rig/figure.ts";

/**
 * Kills at random places of all scenarios of test/crash, with the counts of what people lost, got twice
 * or waited for in vain: all have to be 0. CRASH_RUNS=all kills at every place there is; CRASH_SEED
 * repeats a selection. `times: 2` are runs with a second kill soon after the first restart.
 */
const channels: Readonly<Record<string, readonly PersonKind[]>> = {
  telegram: ["telegram-direct", "telegram-group"],
  slack: ["slack-direct", "slack-thread"],
  api: ["api", "api-key"],
};
const seed = Number(process.env["CRASH_SEED"] ?? Date.now() % 1_000_000);
const wanted = process.env["CRASH_RUNS"] ?? "100";
const random = createRandom(seed);
progress(`seed ${seed}`);

const stage = await Stage.open({ people: 2_000 });
try {
  for (const [channel, kinds] of Object.entries(channels)) {
    const cases = await findCases(stage, partsOf(scenarios, kinds));
    progress(`${channel}: ${cases.length} places`);
    report(channel, 1, await killAtAll(stage, pick(cases, wanted)));
    report(channel, 2, await killAtAll(stage, random.pick(cases, 20), () => 1 + random.below(8)));
  }
} finally {
  await stage.close();
}

/** As many different places as there are, then some again. */
function pick(cases: readonly Case[], count: string): Case[] {
  if (count === "all") return [...cases];
  const picked: Case[] = [];
  while (picked.length < Number(count)) {
    picked.push(...random.pick(cases, Number(count) - picked.length));
  }
  return picked;
}

function report(channel: string, times: number, verdicts: readonly Verdict[]): void {
  for (const verdict of verdicts.filter(wrong)) progress(JSON.stringify(verdict));
  console.log(JSON.stringify({ figure: "crash", channel, times, ...summarise(verdicts), seed }));
}
