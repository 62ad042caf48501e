import { eventually } from "#test/harness/wait.ts";
import { isDelivery, placeName, type Place, type Track } from "./boundary.ts";
import type { Stage } from "./stage.ts";

/**
 * One kill for many conversations, each at exactly its own place: whoever gets there stands still until
 * all the others are at theirs, and then the Worker gets its SIGKILL. What cannot stand still is let go
 * last: replies are held back at `applied` and leave together, a message of a person waits at the door
 * (one at most, since its way into the Worker takes a while).
 */
export interface Target {
  readonly track: Track;
  readonly at: Place;
  /** Nothing more will happen in this conversation: it missed its place. */
  missed(): Promise<boolean>;
}

const PATIENCE_MS = 90_000;
/** Replies that have been let go leave at once, or never; one alone may take its time to be written. */
const LEAVING_MS = 2_000;
const WRITING_MS = 15_000;

/** Resolves when the Worker is dead, with the targets that were at their places. */
export async function killAt(stage: Stage, targets: readonly Target[]): Promise<Set<Target>> {
  const [moving, ...tooMany] = targets.filter(({ at }) => isDelivery(at));
  if (tooMany.length > 0) throw new Error("only one message on its way can be killed at a time");
  const holds = targets.filter((target) => target !== moving).map(holdAt);
  const door = moving ? doorFor(moving) : null;
  await Promise.all([...holds, ...(door ? [door] : [])].map(comesOrMisses));

  const replies = holds.filter(({ leave }) => leave !== undefined);
  const killed = Promise.withResolvers<void>();
  const kill = () => void stage.assistant.runtime.kill().then(killed.resolve, killed.reject);
  const letRepliesGo = () => leaveTogether(replies, kill);
  if (door?.isHere) door.open(letRepliesGo);
  else letRepliesGo();
  await killed.promise;

  const reached = holds.filter(({ isAtPlace }) => isAtPlace).map(({ target }) => target);
  return new Set(door?.isHere ? [door.target, ...reached] : reached);
}

/** A conversation on its way to its place. */
interface Traveller {
  readonly target: Target;
  /** It stands as near to its place as it can. */
  isHere: boolean;
}

interface Hold extends Traveller {
  isAtPlace: boolean;
  /** Lets its reply go. Absent: it needs no letting go, or is not here. */
  leave?: () => void;
  /** Called when it has come to its place. */
  onPlace: () => void;
}

function holdAt(target: Target): Hold {
  const { track, at } = target;
  const before: Place = at.phase === "replied" ? { ...at, phase: "applied" } : at;
  const hold: Hold = { target, isHere: false, isAtPlace: false, onPlace: () => {} };
  track.onPlace = (place) => {
    const name = placeName(place);
    if (name === placeName(at)) {
      hold.isHere = true;
      hold.isAtPlace = true;
      hold.onPlace();
      return never();
    }
    if (name !== placeName(before)) return undefined;
    hold.isHere = true;
    return new Promise((resolve) => {
      hold.leave = resolve;
    });
  };
  return hold;
}

async function comesOrMisses(traveller: Traveller): Promise<void> {
  const { target } = traveller;
  const isDecided = async () => traveller.isHere || (await target.missed());
  await eventually(isDecided, { timeoutMs: PATIENCE_MS, what: placeName(target.at) });
}

/** Lets all replies go and calls `then` in the moment in which the last of them has left. */
function leaveTogether(replies: readonly Hold[], then: () => void): void {
  let left = replies.length;
  let called = false;
  const callOnce = () => {
    if (!called) then();
    called = true;
  };
  if (left === 0) {
    callOnce();
    return;
  }
  for (const reply of replies) {
    reply.onPlace = () => {
      left -= 1;
      if (left === 0) callOnce();
    };
    reply.leave?.();
  }
  setTimeout(callOnce, replies.length === 1 ? WRITING_MS : LEAVING_MS);
}

interface Door extends Traveller {
  /** Lets the message go, and calls `then` when it is at its place. */
  open(then: () => void): void;
}

/** Holds the person back before the message that is to be on its way. */
function doorFor(target: Target): Door {
  const { track, at } = target;
  const opened = Promise.withResolvers<void>();
  const door: Door = {
    target,
    isHere: false,
    open(then) {
      track.onPlace = (place) => {
        if (placeName(place) !== placeName(at)) return undefined;
        then();
        return never();
      };
      opened.resolve();
    },
  };
  track.beforeDelivery = (nth) => {
    if (nth !== at.nth) return undefined;
    door.isHere = true;
    return opened.promise;
  };
  return door;
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

function never(): Promise<void> {
  return new Promise(() => {});
}
