import { eventually } from "#test/harness/wait.ts";
import { isDelivery, placeName, type Place, type Track } from "./boundary.ts";
import type { Stage } from "./stage.ts";

/**
 * One kill for many conversations, each at exactly its own place: whoever gets there stands still until
 * all the others are at theirs, and then the Worker gets its SIGKILL. A message on its way cannot stand
 * still: one such conversation may be among them, and it is let go last.
 */
export interface Target {
  readonly track: Track;
  readonly at: Place;
  /** Nothing more will happen in this conversation: it missed its place. */
  missed(): Promise<boolean>;
}

const PATIENCE_MS = 90_000;

/** Resolves when the Worker is dead, with the targets that were at their places. */
export async function killAt(stage: Stage, targets: readonly Target[]): Promise<Set<Target>> {
  const standing = targets.filter(({ at }) => !isDelivery(at));
  const [moving, ...others] = targets.filter(({ at }) => isDelivery(at));
  if (others.length > 0) throw new Error("only one message on its way can be killed at a time");
  const door = moving ? doorFor(moving) : null;
  const arrived = new Set<Target>();
  for (const target of standing) holdAt(target, () => arrived.add(target));
  await Promise.all(standing.map((target) => comesOrMisses(target, arrived)));
  if (moving && door) {
    await door.reached;
    const killed = Promise.withResolvers<void>();
    holdAt(moving, () => {
      arrived.add(moving);
      stage.assistant.runtime.kill().then(killed.resolve, killed.reject);
    });
    door.open();
    await killed.promise;
  } else {
    await stage.assistant.runtime.kill();
  }
  return arrived;
}

/**
 * Kills at the so-many-th place that any of the conversations passes from now on; null if they end
 * before. `start` is what they go on with: it may itself be killed.
 */
export async function killAfter(
  stage: Stage,
  targets: readonly Target[],
  count: number,
  start: () => Promise<void>,
): Promise<Place | null> {
  let left = count;
  let killed: { readonly place: Place; readonly gone: Promise<void> } | null = null;
  for (const { track } of targets) {
    track.onPlace = (place) => {
      left -= 1;
      if (left > 0) return undefined;
      killed ??= { place, gone: stage.assistant.runtime.kill() };
      return never();
    };
  }
  const isDecided = async () => killed !== null || (await allMissed(targets));
  try {
    await start();
    await eventually(isDecided, { timeoutMs: PATIENCE_MS, what: "the second kill" });
  } catch (error) {
    if (killed === null) throw error;
  }
  for (const { track } of targets) track.onPlace = () => {};
  const done = killed as { readonly place: Place; readonly gone: Promise<void> } | null;
  await done?.gone;
  return done?.place ?? null;
}

async function allMissed(targets: readonly Target[]): Promise<boolean> {
  const missed = await Promise.all(targets.map((target) => target.missed()));
  return missed.every(Boolean);
}

function holdAt(target: Target, then: () => void): void {
  const name = placeName(target.at);
  let here = false;
  target.track.onPlace = (place) => {
    if (here || placeName(place) !== name) return undefined;
    here = true;
    then();
    return never();
  };
}

async function comesOrMisses(target: Target, arrived: ReadonlySet<Target>): Promise<void> {
  const isDecided = async () => arrived.has(target) || (await target.missed());
  await eventually(isDecided, { timeoutMs: PATIENCE_MS, what: placeName(target.at) });
}

/** Holds the person back before the message that is to be on its way. */
function doorFor({ track, at }: Target) {
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  track.beforeDelivery = (nth) => {
    if (nth !== at.nth) return undefined;
    reached.resolve();
    return opened.promise;
  };
  return { reached: reached.promise, open: () => opened.resolve() };
}

function never(): Promise<void> {
  return new Promise(() => {});
}
