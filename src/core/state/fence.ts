import type { Turn } from "#contract/turn.ts";
import type { SessionPorts } from "./ports.ts";
import { getSetting, setSetting } from "./settings.ts";

/**
 * Who may write for a turn. Each run of the alarm takes the fence; from then on an older run can
 * still finish its awaits, but nothing it does is stored or sent. The fence is a row, not a variable:
 * an isolate that has been replaced fails at the write and so dies before it acts.
 */
export class StaleRunner extends Error {
  constructor() {
    super("another run of this session has taken over");
    this.name = "StaleRunner";
  }
}

/** The turn was stopped or reset while its step was under way. */
export class TurnEnded extends Error {
  constructor() {
    super("the turn has ended");
    this.name = "TurnEnded";
  }
}

export interface Runner {
  readonly id: string;
}

export function takeFence(ports: SessionPorts): Runner {
  const id = `${ports.bootId}:${ports.newId()}`;
  setSetting(ports.store.settings, "runner", id);
  return { id };
}

/** Throws StaleRunner unless `runner` still holds the fence. */
export function assertRunner(ports: SessionPorts, runner: Runner): void {
  if (getSetting(ports.store.settings, "runner") !== runner.id) throw new StaleRunner();
}

/** The same, and writes: call it in the event that makes an effect, just before it. */
export function claimEffect(ports: SessionPorts, runner: Runner): void {
  assertRunner(ports, runner);
  countEffect(ports);
}

/** The storage write that must precede every effect in the same event. */
export function countEffect(ports: SessionPorts): void {
  const { settings } = ports.store;
  setSetting(settings, "effects", (getSetting(settings, "effects") ?? 0) + 1);
}

/**
 * One transaction on behalf of a running turn. Throws StaleRunner or TurnEnded, and then nothing was
 * written.
 */
export function commit<T>(
  ports: SessionPorts,
  runner: Runner,
  turnId: string,
  work: (turn: Turn) => T,
): T {
  return ports.store.transaction(() => {
    assertRunner(ports, runner);
    const turn = ports.store.turns.get(turnId);
    if (!turn || turn.status !== "running") throw new TurnEnded();
    return work(turn);
  });
}
