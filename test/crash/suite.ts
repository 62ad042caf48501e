import { isDelivery } from "./boundary.ts";
import type { PersonKind } from "./person.ts";
import { perform, SIDE_BY_SIDE, type Part } from "./run.ts";
import type { Scenario } from "./scenario.ts";
import type { Stage } from "./stage.ts";
import { wrong, type Verdict } from "./verdict.ts";

/** Many runs: which places there are, and kills at all of those asked for, several at once. */
export type Case = Required<Part>;

/** Scenarios on the kinds of people that both have and `kinds` names. */
export function partsOf(scenarios: readonly Scenario[], kinds: readonly PersonKind[]): Part[] {
  return scenarios.flatMap((scenario) =>
    scenario.kinds.filter((kind) => kinds.includes(kind)).map((kind) => ({ scenario, kind })),
  );
}

/** All places of these scenarios, found by runs without a kill. Throws if one of those goes wrong. */
export async function findCases(stage: Stage, parts: readonly Part[]): Promise<Case[]> {
  const cases: Case[] = [];
  for (const group of groupsOf(parts)) {
    const performances = await perform(stage, group);
    for (const [index, { places, verdict }] of performances.entries()) {
      if (wrong(verdict)) throw new Error(`wrong without a kill: ${JSON.stringify(verdict)}`);
      const { scenario, kind } = group[index]!;
      cases.push(...places.map((at) => ({ scenario, kind, at })));
    }
  }
  return cases;
}

/** A place that depends on time may pass a run by: so often it is looked for again. */
const MORE_TRIES = 4;

/**
 * Kills at each of the places. `again` says for each kill after how many places a second one follows;
 * none if absent. A run that missed its place proves nothing there and is repeated; only one that went
 * wrong is kept beside its repetition.
 */
export async function killAtAll(
  stage: Stage,
  cases: readonly Case[],
  again?: () => number,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  let open = cases;
  for (let tries = 0; open.length > 0; tries += 1) {
    const runs = await killOnce(stage, open, again);
    const repeated = runs.filter(({ verdict }) => !verdict.reached && tries < MORE_TRIES);
    const kept = runs.filter((run) => !repeated.includes(run) || wrong(run.verdict));
    verdicts.push(...kept.map(({ verdict }) => verdict));
    open = repeated.map((run) => run.of);
  }
  return verdicts;
}

async function killOnce(stage: Stage, cases: readonly Case[], again?: () => number) {
  const runs: { readonly of: Case; readonly verdict: Verdict }[] = [];
  for (const group of groupsOf(cases)) {
    const performances = await perform(stage, group, again ? { thenAfter: again() } : {});
    runs.push(...performances.map(({ verdict }, index) => ({ of: group[index]!, verdict })));
  }
  return runs;
}

/** In groups that can run side by side. */
function groupsOf<P extends Part>(parts: readonly P[]): P[][] {
  const groups = new Map<string, P[]>();
  for (const part of parts) {
    const key = companyOf(part, groups.size);
    groups.set(key, [...(groups.get(key) ?? []), part]);
  }
  return [...groups.values()].flatMap(groupAlike);
}

/** Previews take their time; one whose model takes it too cannot be held back at all. */
function companyOf({ scenario, at }: Part, unique: number): string {
  if (scenario.name !== "preview") return "quick";
  return at?.server === "anthropic" && at.phase === "replied" ? `alone ${unique}` : "slow";
}

/** One message at most may be on its way. */
function groupAlike<P extends Part>(parts: readonly P[]): P[][] {
  const moving = parts.filter(({ at }) => at && isDelivery(at));
  const standing = parts.filter(({ at }) => !at || !isDelivery(at));
  const groups: P[][] = [];
  while (moving.length + standing.length > 0) {
    const first = moving.splice(0, 1);
    groups.push([...first, ...standing.splice(0, SIDE_BY_SIDE - first.length)]);
  }
  return groups;
}

export interface Summary {
  readonly runs: number;
  readonly notReached: number;
  readonly lost: number;
  readonly duplicated: number;
  readonly stuck: number;
  readonly unsafeRepeats: number;
  readonly notices: number;
  readonly orphans: number;
  readonly otherProblems: number;
  readonly recoveryMsP50: number;
  readonly recoveryMsMax: number;
}

export function summarise(verdicts: readonly Verdict[]): Summary {
  const count = (is: (verdict: Verdict) => boolean) => verdicts.filter(is).length;
  const sum = (of: (verdict: Verdict) => number) =>
    verdicts.reduce((total, verdict) => total + of(verdict), 0);
  const times = verdicts.map(({ recoveryMs }) => recoveryMs).toSorted((a, b) => a - b);
  return {
    runs: verdicts.length,
    notReached: count(({ reached }) => !reached),
    lost: count(({ lost }) => lost.length > 0),
    duplicated: count(({ duplicated }) => duplicated.length > 0),
    stuck: count(({ stuck }) => stuck),
    unsafeRepeats: sum(({ unsafeRepeats }) => unsafeRepeats),
    notices: sum(({ notices }) => notices),
    orphans: sum(({ orphans }) => orphans),
    otherProblems: sum(({ problems }) => problems.length),
    recoveryMsP50: times[Math.floor(times.length / 2)] ?? 0,
    recoveryMsMax: times.at(-1) ?? 0,
  };
}
