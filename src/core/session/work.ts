import type { InboxItem } from "#contract/inbox.ts";
import type { Turn } from "#contract/turn.ts";
import { drain, nextSendAt } from "#core/delivery/drain.ts";
import { say } from "#core/delivery/outbox.ts";
import { planQueue, type QueuePlan } from "#core/queue/plan.ts";
import { announceEnd, endTurn } from "#core/turn/finish.ts";
import { parkedUntil, resumeParked } from "#core/turn/park.ts";
import { startTurn } from "#core/turn/start.ts";
import { takeStep } from "#core/turn/step.ts";
import { WAITING_ROWS } from "#core/turn/steer.ts";
import { archiveEnded } from "./archive.ts";
import { runCommands } from "./command-run.ts";
import { takeFence, type Runner } from "./fence.ts";
import { handOver, handOverAt } from "./hand-over.ts";
import { messageTopic } from "./live.ts";
import type { SessionPorts } from "./ports.ts";
import { queueMode } from "./queue-mode.ts";
import { getSetting, setSetting } from "./settings.ts";
import { describeError } from "#kit/redact.ts";

/**
 * One run of the alarm: commands, what is due to be sent, and one step of one turn. Then it says when
 * it wants to run again. It never throws: an alarm that keeps throwing is dropped by the platform,
 * and with it everything that waits.
 */
export async function work(ports: SessionPorts): Promise<void> {
  const runner = takeFence(ports);
  try {
    await Promise.all([quickWork(ports), stepTurn(ports, runner)]);
    await drain(ports);
    await handOver(ports);
    setFailures(ports, 0);
  } catch (error) {
    failed(ports, error);
  }
  const at = nextWorkAt(ports);
  if (at !== null) ports.store.setAlarm(Math.max(at, ports.now()));
  else await housekeeping(ports);
}

async function quickWork(ports: SessionPorts): Promise<void> {
  await runCommands(ports);
  await drain(ports);
}

async function stepTurn(ports: SessionPorts, runner: Runner): Promise<void> {
  const turn = ports.store.turns.running() ?? resumeParked(ports) ?? beginNext(ports);
  if (!turn || turn.nextAt > ports.now()) return;
  await takeStep(ports, runner, turn);
}

function beginNext(ports: SessionPorts): Turn | null {
  if (retryAt(ports) > ports.now()) return null;
  const { take } = plan(ports);
  if (!take) return null;
  const turn = startTurn(ports, take);
  if (turn) ports.live.emit(turn.id, { type: "started", turnId: turn.id });
  else announceRefused(ports, take.seqs);
  return turn;
}

/** A turn that ended as it began: its watchers are told as well. */
function announceRefused(ports: SessionPorts, seqs: readonly number[]): void {
  const turnId = ports.store.inbox.get(seqs[0] ?? 0)?.turnId;
  if (turnId) announceEnd(ports, turnId);
}

function plan(ports: SessionPorts): QueuePlan<InboxItem> {
  const running = ports.store.turns.running();
  return planQueue({
    rows: ports.store.inbox.list("waiting", "message", WAITING_ROWS),
    running: running ? { route: running.detail.route } : null,
    mode: queueMode(ports),
    cap: ports.config.queue.cap,
    now: ports.now(),
  });
}

/** Milliseconds since the epoch of the next thing to do; null = nothing is open. */
export function nextWorkAt(ports: SessionPorts): number | null {
  const times = [nextSendAt(ports), nextTurnAt(ports), handOverAt(ports)];
  if (ports.store.inbox.list("waiting", "command", 1).length > 0) times.push(ports.now());
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}

function nextTurnAt(ports: SessionPorts): number | null {
  const turn = ports.store.turns.running();
  if (turn) return Math.max(turn.nextAt, retryAt(ports));
  const { take, lookAt } = plan(ports);
  const next = take ? Math.max(ports.now(), retryAt(ports)) : lookAt;
  const parked = parkedUntil(ports);
  return next === null || parked === null ? (next ?? parked) : Math.min(next, parked);
}

function retryAt(ports: SessionPorts): number {
  return getSetting(ports.store.settings, "workRetryAt") ?? 0;
}

const GIVE_UP_AFTER = 5;

/** An error outside any step: wait, longer each time; in the end give up what stands in the way. */
function failed(ports: SessionPorts, error: unknown): void {
  const failures = (getSetting(ports.store.settings, "workFailures") ?? 0) + 1;
  ports.log.error("work.failed", { session: ports.key, failures, error: describeError(error) });
  setFailures(ports, failures);
  if (failures >= GIVE_UP_AFTER) giveUp(ports);
}

function setFailures(ports: SessionPorts, failures: number): void {
  const { settings } = ports.store;
  if ((getSetting(settings, "workFailures") ?? 0) === failures) return;
  setSetting(settings, "workFailures", failures);
  setSetting(settings, "workRetryAt", failures === 0 ? 0 : ports.now() + 500 * 3 ** failures);
}

/** Ends the turn, or sets aside the message, that work cannot get past; the person is told. */
function giveUp(ports: SessionPorts): void {
  const text = "Something went wrong inside me and I could not go on. /again tries once more.";
  const turn = ports.store.turns.running();
  if (turn) {
    ports.store.transaction(() =>
      endTurn(ports, turn, { status: "failed", text, reason: "internal" }),
    );
    announceEnd(ports, turn.id);
  } else {
    const { take } = plan(ports);
    const route = take?.rows[0]?.message.route;
    ports.store.inbox.mark(take?.seqs ?? [], "done", null);
    for (const seq of take?.seqs ?? []) {
      if (route) say(ports, { key: `given-up:${seq}`, turnId: null, kind: "notice", text, route });
      ports.live.emit(messageTopic(seq), {
        type: "ended",
        turnId: "",
        status: "failed",
        text,
        usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
        reason: "internal",
      });
    }
  }
  setFailures(ports, 0);
}

const KEEP_MS = 7 * 24 * 3_600_000;

/** When nothing is open: write ended contexts away, forget what is long done. */
async function housekeeping(ports: SessionPorts): Promise<void> {
  try {
    const before = ports.now() - KEEP_MS;
    ports.store.inbox.prune(before);
    ports.store.journal.prune(before);
    ports.store.outbox.prune(before);
    await archiveEnded(ports);
  } catch (error) {
    ports.log.warn("session.housekeeping", { session: ports.key, error: describeError(error) });
  }
}
