import { setTimeout as sleep } from "node:timers/promises";
import { eventually, settled } from "#test/harness/wait.ts";
import { newWord } from "#test/harness/words.ts";
import { placeName, type Place } from "./boundary.ts";
import { killAfter, killAt, type Target } from "./kill.ts";
import { apiPerson } from "./person-api.ts";
import { slackPerson } from "./person-slack.ts";
import { telegramPerson } from "./person-telegram.ts";
import type { Person, PersonKind } from "./person.ts";
import type { Play, Scenario, Scene } from "./scenario.ts";
import type { Stage } from "./stage.ts";
import { holds, isSettled, judge, type Verdict } from "./verdict.ts";

/**
 * Runs of scenarios, side by side: without a kill to see which places there are, or all of them killed
 * at once, each at exactly one of its places, started again on the same state, and judged. A kill is
 * SIGKILL while the other side stands still at that place for good.
 */
export interface Part {
  readonly scenario: Scenario;
  readonly kind: PersonKind;
  /** Where to kill; absent = this conversation is only there. */
  readonly at?: Place;
}

export interface RunOptions {
  /** Kill a second time, at the so-many-th place that any conversation passes after the restart. */
  readonly thenAfter?: number;
}

export interface Performance {
  /** All places of the conversation, in order. */
  readonly places: readonly Place[];
  readonly verdict: Verdict;
}

/** More than this at once would have to wait for one of the agent's lanes. */
export const SIDE_BY_SIDE = 6;

export async function perform(
  stage: Stage,
  parts: readonly Part[],
  options: RunOptions = {},
): Promise<Performance[]> {
  const runs = parts.map((part) => begin(stage, part));
  try {
    await killAll(stage, runs, options);
    return await Promise.all(runs.map((run) => conclude(run)));
  } finally {
    for (const { scene } of runs) {
      scene.over = true;
      stage.places.forget(scene.person.track);
    }
  }
}

interface Run {
  readonly part: Part;
  readonly scene: Scene;
  readonly play: Play;
  readonly acting: Acting;
  readonly kills: string[];
  reached: boolean;
}

function begin(stage: Stage, part: Part): Run {
  const person = newPerson(stage, part.kind);
  const { kind } = part;
  const scene = { tag: newWord(), kind, stage, person, said: 0, modelCalls: 0, over: false };
  person.track.know(scene.tag);
  stage.places.follow(person.track);
  const play = part.scenario.create(scene);
  stage.plan(scene.tag, (call) => {
    scene.modelCalls += 1;
    return play.plan(call);
  });
  return { part, scene, play, acting: act(scene, play), kills: [], reached: part.at === undefined };
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
    // Whoever watches the places is ready first.
    await sleep(1);
    for (const { say, when } of play.acts) {
      if (when) await eventually(when, { timeoutMs: 90_000, what: `the moment for "${say}"` });
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

async function killAll(stage: Stage, runs: readonly Run[], options: RunOptions): Promise<void> {
  const marked = runs.flatMap((run) => {
    const { at } = run.part;
    return at ? [{ run, target: targetOf(run, at) }] : [];
  });
  if (marked.length === 0) return;
  const targets = marked.map(({ target }) => target);
  const arrived = await killAt(stage, targets);
  for (const { run, target } of marked) {
    run.reached = arrived.has(target);
    run.kills.push(placeName(target.at));
  }
  for (const { scene } of runs) {
    scene.person.track.onPlace = () => {};
    scene.person.track.beforeDelivery = () => {};
  }
  const { thenAfter } = options;
  if (thenAfter === undefined) return stage.restart();
  const place = await killAfter(stage, targets, thenAfter, () => stage.restart());
  if (!place) return;
  for (const run of runs) run.kills.push(`then ${placeName(place)}`);
  await stage.restart();
}

function targetOf({ scene, play, acting }: Run, at: Place): Target {
  const { track } = scene.person;
  const isOver = () => acting.done && isSettled(scene, play);
  return {
    track,
    at,
    async missed() {
      if (!isOver()) return false;
      await settled(() => track.passed.length, 300);
      return isOver();
    },
  };
}

/** Longer than this nothing may take once the Worker is up, or it is stuck. */
function stuckMs({ restartMs }: Stage): number {
  // A machine that needs very long to start a process needs long for everything.
  return Math.max(20_000, 6 * restartMs);
}

/** Waits for what the person waits for, without touching anything; then judges. */
async function conclude({ part, scene, play, acting, kills, reached }: Run): Promise<Performance> {
  const { stage, person } = scene;
  const from = performance.now();
  const isThere = () => acting.done && isSettled(scene, play);
  const limit = stuckMs(stage);
  const inTime = await holds(isThere, limit);
  const recoveryMs = Math.round(performance.now() - from);
  const problems: string[] = [];
  if (!inTime) {
    await stage.assistant.runtime.scheduled("*/5 * * * *");
    problems.push((await holds(isThere, 5_000)) ? "only the sweeper helped" : "nothing helped");
  }
  const places = [...person.track.passed];
  const judged = await judge(scene, play, { kills: kills.length, stuckMs: limit });
  if (acting.error) throw acting.error;
  const { name: scenario } = part.scenario;
  const restartMs = Math.round(stage.restartMs);
  return {
    places,
    verdict: {
      scenario,
      kind: part.kind,
      kills,
      reached,
      recoveryMs,
      restartMs,
      ...judged,
      stuck: judged.stuck || !inTime,
      problems: [...problems, ...judged.problems],
    },
  };
}
