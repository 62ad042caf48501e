import { join } from "node:path";
import { Assistant } from "#test/harness/assistant.ts";
import { eventually } from "#test/harness/wait.ts";
import type { Random } from "#test/crash/random.ts";
import { MemoryAgent } from "./agent.ts";
import { MemoryPlaces } from "./places.ts";
import { outcomeOf, type MemoryPlay } from "./plays.ts";
import { storedTexts } from "./stored.ts";

/**
 * Kills at many places of many plays for the price of one: each place has an agent of its own, which stands
 * still there until all others are at theirs; then the process is killed, once, and started again on the
 * same state. Which places there are is found by one agent for each play that is not disturbed.
 */
export interface MemoryVerdict {
  readonly cut: Cut;
  readonly isReached: boolean;
  readonly problems: readonly string[];
}

const around = join(import.meta.dirname, "held-worker.mjs");
const AT_ONCE = 40;
/** Without a step of anybody's: the longest pause of a job that has failed is shorter. */
const STILL_MS = 120_000;

export class MemoryStage {
  readonly home: Assistant;
  readonly #places: MemoryPlaces;
  readonly #free: string[];

  private constructor(home: Assistant, places: MemoryPlaces, agents: readonly string[]) {
    this.home = home;
    this.#places = places;
    this.#free = [...agents];
  }

  static async open(size: number): Promise<MemoryStage> {
    const places = new MemoryPlaces();
    await places.start();
    const agents = Array.from({ length: size }, (_none, index) => `agent-${index + 1}`);
    const home = await Assistant.start({
      around,
      vars: { PLACES_URL: places.url },
      config: { agents: { list: agents.map((id) => ({ id })) } },
    });
    return new MemoryStage(home, places, agents);
  }

  agent(): MemoryAgent {
    const id = this.#free.shift();
    if (id === undefined) throw new Error("there are more places than agents");
    return new MemoryAgent(id, this.home, this.#places);
  }

  /** What the objects keep; the Worker does not run afterwards. */
  async stored(): Promise<string> {
    await this.home.runtime.kill();
    return storedTexts(this.home.directory.path);
  }

  async close(): Promise<void> {
    await this.home.stop();
    await this.#places.stop();
  }
}

export interface Cut {
  readonly play: MemoryPlay;
  readonly place: string;
  readonly agent: MemoryAgent;
  readonly expected: ReadonlyMap<string, string>;
}

export interface Rehearsal {
  readonly places: readonly string[];
  readonly outcome: ReadonlyMap<string, string>;
}

/** Plays it undisturbed, for comparison and to see which places there are. */
export async function rehearse(stage: MemoryStage, play: MemoryPlay): Promise<Rehearsal> {
  const agent = stage.agent();
  await play.prepare(agent);
  agent.track.begin();
  await play.begin(agent);
  await isOver(play, agent);
  const places = agent.track.passed.filter((place) => play.isPlace(place));
  return { places, outcome: await outcomeOf(play, agent) };
}

/** The essential places, and some of the others. */
export function choose(
  play: MemoryPlay,
  { places }: Rehearsal,
  others: { readonly random: Random; readonly count: number },
): string[] {
  const isEssential = (place: string) => play.essential.some((pattern) => pattern.test(place));
  const rest = places.filter((place) => !isEssential(place));
  return [...places.filter(isEssential), ...others.random.pick(rest, others.count)];
}

/** In groups that one machine can carry; what alarms do at once may hide a place from who looks on, once. */
export async function killAtEach(
  stage: MemoryStage,
  cuts: readonly Cut[],
): Promise<MemoryVerdict[]> {
  const first = await killInGroups(stage, cuts);
  const missed = first.filter(({ isReached }) => !isReached);
  const again = missed.map(({ cut }) => ({ ...cut, agent: stage.agent() }));
  const second = again.length > 0 ? await killInGroups(stage, again) : [];
  return [...first.filter(({ isReached }) => isReached), ...second];
}

async function killInGroups(stage: MemoryStage, cuts: readonly Cut[]): Promise<MemoryVerdict[]> {
  const verdicts: MemoryVerdict[] = [];
  for (let from = 0; from < cuts.length; from += AT_ONCE) {
    verdicts.push(...(await killAtAll(stage, cuts.slice(from, from + AT_ONCE))));
  }
  return verdicts;
}

async function killAtAll(stage: MemoryStage, cuts: readonly Cut[]): Promise<MemoryVerdict[]> {
  await Promise.all(cuts.map(({ play, agent }) => play.prepare(agent)));
  for (const { agent, place } of cuts) {
    agent.track.begin();
    agent.track.wanted = place;
  }
  // Whoever asked never hears of it.
  for (const { play, agent } of cuts) void play.begin(agent).catch(() => undefined);
  const missing = () => cuts.filter(({ agent }) => !agent.track.isHeld);
  await eventually(() => missing().length === 0, {
    timeoutMs: STILL_MS,
    everyMs: 50,
    sign: () => cuts.reduce((steps, { agent }) => steps + agent.track.steps, 0),
  }).catch(() => undefined);
  const missed = new Set(missing());
  await stage.home.runtime.kill();
  for (const { agent } of cuts) agent.track.release();
  await stage.home.runtime.restart();
  return Promise.all(
    cuts.map(async (cut) => {
      const isReached = !missed.has(cut);
      const problems = isReached ? await judge(cut) : ["it did not come to this place"];
      return { cut, isReached, problems };
    }),
  );
}

async function judge({ play, agent, expected }: Cut): Promise<string[]> {
  try {
    await isOver(play, agent);
    const outcome = await outcomeOf(play, agent);
    const differing = [...new Set([...outcome.keys(), ...expected.keys()])]
      .filter((name) => outcome.get(name) !== expected.get(name))
      .map(
        (name) =>
          `${name} is not what it is undisturbed:\n${outcome.get(name)}\n${expected.get(name)}`,
      );
    return [...differing, ...(await play.problems(agent))];
  } catch (error) {
    return [`${String(error)} after ${agent.track.passed.slice(-6).join(", ")}`];
  }
}

async function isOver(play: MemoryPlay, agent: MemoryAgent): Promise<void> {
  await eventually(() => play.isOver(agent), {
    timeoutMs: STILL_MS,
    everyMs: 50,
    sign: () => agent.track.steps,
    what: `${agent.id}: the end of ${play.name}`,
  });
}
