import type { QueueMode } from "#contract/config.ts";
import type { ReplyRoute } from "#contract/message.ts";
import { inReach } from "#kit/in-reach.ts";
import { MAX_HOLD_MS } from "./hold.ts";
import { overflowSummary } from "./overflow.ts";
import { sameRoute, standsAlone, type QueueRow } from "./row.ts";
import { gatherUnits, unitMessages, type QueueUnit } from "./unit.ts";

/**
 * What to do with waiting messages, decided anew from the rows each time: nothing is remembered, so a
 * restart changes nothing. `steer` joins the running turn, `followup` makes each its own turn,
 * `collect` and `interrupt` make one turn of all; all of them only among messages that are answered in
 * the same place. Every row is in at most one part of the plan, and one that is in none waits for a
 * later look. Not here: commands, and what ends a running turn (accepting a message does).
 */
export interface QueueState<Row extends QueueRow> {
  /** All waiting rows. */
  readonly rows: readonly Row[];
  /** Where the running turn answers; null when none runs. */
  readonly running: { readonly route: ReplyRoute } | null;
  readonly mode: QueueMode;
  /** Messages of one place that wait in full. */
  readonly cap: number;
  readonly now: number;
}

export interface QueuePlan<Row extends QueueRow> {
  /** Begins a turn; only when none runs. */
  readonly take: QueueBatch<Row> | null;
  /** Joins the running turn at its next model call. */
  readonly steer: QueueBatch<Row> | null;
  /** When something held back becomes due that this look could not act on; null = nothing does. */
  readonly lookAt: number | null;
}

export interface QueueBatch<Row extends QueueRow> {
  /** Every row this uses up, those in `overflow` included. */
  readonly seqs: readonly number[];
  /** Those of `seqs` that are in `rows`. */
  readonly keptSeqs: readonly number[];
  /** In order; an album is one row under the lowest `seq` of its parts. */
  readonly rows: readonly Row[];
  /** Stands before `rows` as context: what did not fit. */
  readonly overflow: string | null;
}

export function planQueue<Row extends QueueRow>(state: QueueState<Row>): QueuePlan<Row> {
  const units = gatherUnits(state.rows.filter((row) => row.kind === "message")).map((unit) => ({
    ...unit,
    readyAt: inReach(unit.readyAt, state.now, MAX_HOLD_MS),
  }));
  return state.running ? planRunning(units, state) : planIdle(units, state);
}

function planRunning<Row extends QueueRow>(
  units: readonly QueueUnit<Row>[],
  { running, mode, cap, now }: QueueState<Row>,
): QueuePlan<Row> {
  const joining = units.filter(
    (unit) => running !== null && isAt(unit, running.route) && !isAlone(unit),
  );
  const due = joining.filter((unit) => unit.readyAt <= now);
  const watches = mode === "steer" || mode === "interrupt";
  return {
    take: null,
    steer: mode === "steer" && due.length > 0 ? batch(due, cap) : null,
    lookAt: watches ? nextDue(joining, now) : null,
  };
}

function planIdle<Row extends QueueRow>(
  units: readonly QueueUnit<Row>[],
  { mode, cap, now }: QueueState<Row>,
): QueuePlan<Row> {
  const due = units.filter((unit) => unit.readyAt <= now);
  const first = due[0];
  const route = first?.rows[0]?.message.route;
  if (!first || !route) return { take: null, steer: null, lookAt: nextDue(units, now) };
  const together = isAlone(first)
    ? [first]
    : withEqualRights(due.filter((unit) => isAt(unit, route) && !isAlone(unit)));
  const take = mode === "followup" ? oneOf(together, cap) : batch(together, cap);
  return { take, steer: null, lookAt: null };
}

/** The last `cap` units in full, those before them as a summary. */
function batch<Row extends QueueRow>(
  units: readonly QueueUnit<Row>[],
  cap: number,
): QueueBatch<Row> {
  const { kept, dropped } = bound(units, cap);
  return toBatch(kept, dropped);
}

/** The oldest unit that still fits, with a summary of those that did not. */
function oneOf<Row extends QueueRow>(
  units: readonly QueueUnit<Row>[],
  cap: number,
): QueueBatch<Row> {
  const { kept, dropped } = bound(units, cap);
  return toBatch(kept.slice(0, 1), dropped);
}

function bound<Unit>(units: readonly Unit[], cap: number): { kept: Unit[]; dropped: Unit[] } {
  const excess = Math.max(0, units.length - cap);
  return { kept: units.slice(excess), dropped: units.slice(0, excess) };
}

function toBatch<Row extends QueueRow>(
  kept: readonly QueueUnit<Row>[],
  dropped: readonly QueueUnit<Row>[],
): QueueBatch<Row> {
  return {
    seqs: [...dropped, ...kept].flatMap((unit) => unit.rows.map((row) => row.seq)),
    keptSeqs: kept.flatMap((unit) => unit.rows.map((row) => row.seq)),
    rows: kept.flatMap(unitMessages),
    overflow: dropped.length === 0 ? null : overflowSummary(dropped.flatMap(unitMessages)),
  };
}

/**
 * The run of messages at the front whose senders have the same rights: a turn has only the rights that
 * all of its senders have, and a stranger's word must not lower an owner's.
 */
function withEqualRights<Row extends QueueRow>(units: readonly QueueUnit<Row>[]): QueueUnit<Row>[] {
  const rights = units[0]?.rows[0]?.message.sender.isOwner;
  const end = units.findIndex((unit) => unit.rows[0]?.message.sender.isOwner !== rights);
  return units.slice(0, end < 0 ? units.length : end);
}

function isAt(unit: QueueUnit<QueueRow>, route: ReplyRoute): boolean {
  return unit.rows.every((row) => sameRoute(row.message.route, route));
}

function isAlone(unit: QueueUnit<QueueRow>): boolean {
  return unit.rows.some(standsAlone);
}

function nextDue(units: readonly QueueUnit<QueueRow>[], now: number): number | null {
  const later = units.map((unit) => unit.readyAt).filter((at) => at > now);
  return later.length === 0 ? null : Math.min(...later);
}
