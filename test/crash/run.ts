import { eventually, settled } from "#test/harness/wait.ts";
import { newWord } from "#test/harness/words.ts";
import { placeName, type Place } from "./boundary.ts";
import { apiPerson } from "./person-api.ts";
import { slackPerson } from "./person-slack.ts";
import { telegramPerson } from "./person-telegram.ts";
import type { Person, PersonKind } from "./person.ts";
import { finished, notices, type Play, type Scenario, type Scene } from "./scenario.ts";
import type { Stage } from "./stage.ts";
import {
  countOrphans,
  countUnsafeRepeats,
  isSettled,
  missing,
  repeated,
  type Verdict,
} from "./verdict.ts";

/**
 * One run of a scenario: without a kill to see which places there are, or killed at exactly one of
 * them, started again on the same state, and judged. A kill is SIGKILL while the other side stands
 * still at that place for good.
 */
export interface KillPlan {
  readonly at: Place;
  /** Kill a second time, at the so-many-th place after the restart. */
  readonly thenAfter?: number;
}

export interface Performance {
  /** All places of the run, in order. */
  readonly places: readonly Place[];
  readonly verdict: Verdict;
}

/** Longer than this nothing may take once the Worker is up, or it is stuck. */
const STUCK_MS = 20_000;

export async function perform(
  stage: Stage,
  scenario: Scenario,
  kind: PersonKind,
  kill?: KillPlan,
): Promise<Performance> {
  const scene = newScene(stage, kind);
  const play = scenario.create(scene);
  stage.plan(scene.tag, (call) => {
    scene.modelCalls += 1;
    return play.plan(call);
  });
  stage.places.reset();
  const killer = new Killer(stage, kill);
  const acting = act(scene, play);
  try {
    const crash = await killer.killed(() => acting.done && isSettled(scene, play));
    const recovered = await waitSettled(scene, play, acting);
    const places = [...stage.places.passed];
    stage.places.onPlace = () => {};
    const verdict = await judge(scene, play, {
      ...recovered,
      kills: crash.kills.length,
    });
    if (acting.error) throw acting.error;
    return { places, verdict: { scenario: scenario.name, kind, ...crash, ...verdict } };
  } finally {
    scene.over = true;
  }
}

function newScene(stage: Stage, kind: PersonKind): Scene {
  const person = newPerson(stage, kind);
  return { tag: newWord(), kind, stage, person, said: 0, modelCalls: 0, over: false };
}

function newPerson(stage: Stage, kind: PersonKind): Person {
  switch (kind) {
    case "telegram-direct":
      return telegramPerson(stage, "direct");
    case "telegram-group":
      return telegramPerson(stage, "group");
    case "slack-direct":
      return slackPerson(stage, "direct");
    case "slack-thread":
      return slackPerson(stage, "thread");
    case "api":
      return apiPerson(stage, "retry-count");
    case "api-key":
      return apiPerson(stage, "idempotency-key");
  }
}

interface Acting {
  done: boolean;
  error: unknown;
}

/** The person speaks, each time its moment has come, whatever becomes of the Worker meanwhile. */
function act(scene: Scene, play: Play): Acting {
  const acting: Acting = { done: false, error: undefined };
  const speak = async () => {
    for (const { say, when } of play.acts) {
      if (when) await eventually(when, { timeoutMs: 60_000, what: `the moment for "${say}"` });
      await scene.person.say(say);
      scene.said += 1;
    }
  };
  speak()
    .catch((error: unknown) => {
      acting.error = error;
    })
    .finally(() => {
      acting.done = true;
    });
  return acting;
}

/** Kills the Worker where the plan says, and starts it again. */
class Killer {
  readonly #stage: Stage;
  readonly #kill: KillPlan | undefined;
  readonly #kills: string[] = [];
  #dying: Promise<void> | null = null;

  constructor(stage: Stage, kill: KillPlan | undefined) {
    this.#stage = stage;
    this.#kill = kill;
    if (kill) this.#arm((place) => placeName(place) === placeName(kill.at));
  }

  /** Resolves when all kills are done and the Worker is up again, or when the play ended without. */
  async killed(ended: () => boolean): Promise<Pick<Verdict, "kills" | "reached">> {
    if (!this.#kill) return { kills: [], reached: true };
    let reached = await this.#oneKill(ended);
    if (reached && this.#kill.thenAfter !== undefined) reached = await this.#oneKill(ended);
    return { kills: this.#kills, reached };
  }

  async #oneKill(ended: () => boolean): Promise<boolean> {
    await eventually(async () => this.#dying !== null || (await this.#isOver(ended)), {
      timeoutMs: 90_000,
      what: "the place to kill at",
    });
    if (!this.#dying) return false;
    await this.#dying;
    this.#dying = null;
    if (this.#kills.length === 1) this.#armAgain();
    await this.#stage.restart();
    return true;
  }

  /** Settled, and nothing more passes: the place will not come. */
  async #isOver(ended: () => boolean): Promise<boolean> {
    if (!ended()) return false;
    await settled(() => this.#stage.places.passed.length, 300);
    return ended();
  }

  #arm(isHere: (place: Place) => boolean): void {
    let fired = false;
    this.#stage.places.onPlace = (place) => {
      if (fired) return undefined;
      if (!isHere(place)) return undefined;
      fired = true;
      this.#kills.push(placeName(place));
      this.#dying = this.#stage.assistant.runtime.kill();
      return new Promise(() => {});
    };
  }

  #armAgain(): void {
    let left = this.#kill?.thenAfter ?? 0;
    if (left > 0) this.#arm(() => --left === 0);
  }
}

interface Recovery {
  readonly stuck: boolean;
  readonly recoveryMs: number;
  readonly problems: string[];
}

/** Waits for what the person waits for, without touching anything. */
async function waitSettled(scene: Scene, play: Play, acting: Acting): Promise<Recovery> {
  const from = performance.now();
  const isThere = () => acting.done && isSettled(scene, play);
  const inTime = await holds(isThere, STUCK_MS);
  const recoveryMs = performance.now() - from;
  if (inTime) return { stuck: false, recoveryMs, problems: [] };
  await scene.stage.assistant.runtime.scheduled("*/5 * * * *");
  const helped = await holds(isThere, 5_000);
  return { stuck: true, recoveryMs, problems: [helped ? "only the sweeper helped" : "stuck"] };
}

async function judge(
  scene: Scene,
  play: Play,
  { stuck, recoveryMs, problems, kills }: Recovery & { readonly kills: number },
): Promise<Omit<Verdict, "scenario" | "kind" | "kills" | "reached">> {
  const { person, stage } = scene;
  await person.repeatAll();
  // Twice: what the first answer's row was queued before, such as a notice, is then there too.
  const idle = (await becomesIdle(person)) && (await becomesIdle(person));
  await holds(() => countOrphans(scene) === 0, 2_500);
  const duplicated = repeated(scene, play);
  const told = notices(person);
  if (told > 0) await again(scene, play);
  const tooMany = notices(person) > Math.max(1, kills) ? [`${notices(person)} notices`] : [];
  return {
    lost: missing(scene, play),
    duplicated,
    stuck: stuck || !idle,
    unsafeRepeats: countUnsafeRepeats(scene, play),
    notices: told,
    orphans: countOrphans(scene),
    problems: [...problems, ...tooMany, ...(play.problems?.() ?? [])],
    recoveryMs: Math.round(recoveryMs),
    restartMs: Math.round(stage.restartMs),
  };
}

/** Asks /status until it says that nothing runs and nothing waits. */
async function becomesIdle(person: Person): Promise<boolean> {
  const deadline = performance.now() + STUCK_MS;
  while (performance.now() < deadline) {
    const before = statuses(person).length;
    await person.say("/status");
    if (!(await holds(() => statuses(person).length > before, STUCK_MS))) return false;
    const latest = statuses(person).at(-1) ?? "";
    if (latest.includes("Running: nothing") && !latest.includes("Waiting:")) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}

function statuses(person: Person): string[] {
  return finished(person).filter((text) => text.includes("Running: "));
}

/** What was announced as perhaps missing is asked for. */
async function again(scene: Scene, play: Play): Promise<void> {
  await scene.person.say("/again");
  await holds(() => missing(scene, play).length === 0, 5_000);
  await becomesIdle(scene.person);
}

async function holds(condition: () => boolean, timeoutMs: number): Promise<boolean> {
  try {
    return await eventually(condition, { timeoutMs });
  } catch {
    return false; // Not within the time: that is the answer.
  }
}
