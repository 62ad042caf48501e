import type { InboxItem } from "#contract/inbox.ts";
import type { Turn } from "#contract/turn.ts";
import { drain, nextSendAt } from "#core/delivery/drain.ts";
import { say } from "#core/delivery/outbox.ts";
import { planQueue, type QueuePlan } from "#core/queue/plan.ts";
import { announceEnd, endTurn } from "#core/turn/finish.ts";
import { parkedUntil, resumeParked } from "#core/turn/park.ts";
import { setAside } from "#core/turn/set-aside.ts";
import { startTurn } from "#core/turn/start.ts";
import { takeStep } from "#core/turn/step.ts";
import { WAITING_ROWS } from "#core/turn/steer.ts";
import { archiveAt } from "./archive.ts";
import { announceCommand, commandKey, runCommands } from "./command-run.ts";
import { takeFence, type Runner } from "#core/state/fence.ts";
import { handOver, handOverAt } from "#core/state/hand-over.ts";
import { housekeeping } from "./housekeeping.ts";
import { memoryAt, startKeeping } from "./keep-memory.ts";
import { rest } from "./rest.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { queueMode } from "#core/state/queue-mode.ts";
import { getSetting, setSetting } from "#core/state/settings.ts";
import { endUnreadable } from "./unreadable.ts";
import { inReach } from "#kit/in-reach.ts";
import { describeError } from "#kit/redact.ts";

/**
 * One run of the alarm: commands, what is due to be sent, and one step of one turn. Then it says when
 * it wants to run again. What fails is logged and tried again later, since an alarm that keeps
 * throwing is dropped by the platform, and with it everything that waits. It throws only if not even
 * an alarm can be set: then the platform's own retry is the last hope.
 */
export async function work(ports: SessionPorts): Promise<void> {
  try {
    await workOnce(ports);
    startKeeping(ports);
    if (openWorkAt(ports) === null) await housekeeping(ports);
    const at = nextWorkAt(ports);
    if (at !== null) ports.store.setAlarm(Math.max(at, ports.now()));
    else await rest(ports, () => nextWorkAt(ports) === null);
  } catch (error) {
    ports.log.error("work.broken", { session: ports.key, error: describeError(error) });
    ports.store.setAlarm(ports.now() + BROKEN_MS);
  }
}

const BROKEN_MS = 60_000;

async function workOnce(ports: SessionPorts): Promise<void> {
  const runner = takeFence(ports);
  // Both are waited for, whatever becomes of one: a step must not go on behind the next alarm's back.
  const parts = await Promise.allSettled([quickWork(ports), stepTurn(ports, runner)]);
  try {
    const [quick, step] = parts;
    if (step.status === "rejected") failed(ports, step.reason, "turn");
    if (quick.status === "rejected") throw quick.reason;
    if (step.status === "rejected") return;
    endUnreadable(ports);
    await drain(ports);
    await handOver(ports);
    setFailures(ports, 0);
  } catch (error) {
    failed(ports, error, "command");
  }
}

async function quickWork(ports: SessionPorts): Promise<void> {
  if (retryAt(ports) <= ports.now()) await runCommands(ports);
  await drain(ports);
}

async function stepTurn(ports: SessionPorts, runner: Runner): Promise<void> {
  const running = ports.store.turns.running();
  endUnreadable(ports);
  const turn = running ?? resumeParked(ports) ?? beginNext(ports);
  if (!turn || nextStepAt(ports, turn) > ports.now()) return;
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

/** Milliseconds since the epoch of the next thing to do; null = nothing at all. */
export function nextWorkAt(ports: SessionPorts): number | null {
  return earliest([openWorkAt(ports), archiveAt(ports), memoryAt(ports)]);
}

function earliest(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** The same of what somebody waits for. */
export function openWorkAt(ports: SessionPorts): number | null {
  const times = [nextSendAt(ports), nextTurnAt(ports), handOverAt(ports)];
  if (ports.store.inbox.list("waiting", "command", 1).length > 0) {
    times.push(Math.max(ports.now(), retryAt(ports)));
  }
  // Last: the questions above may have met some.
  if (ports.store.unreadable().length > 0) times.push(ports.now());
  return earliest(times);
}

function nextTurnAt(ports: SessionPorts): number | null {
  const turn = ports.store.turns.running();
  if (turn) return Math.max(nextStepAt(ports, turn), retryAt(ports));
  const { take, lookAt } = plan(ports);
  const next = take ? Math.max(ports.now(), retryAt(ports)) : lookAt;
  const parked = parkedUntil(ports);
  return earliest([next, parked]);
}

/** Longer than any wait for a model or a lane, and than any after a failure. */
const LONGEST_WAIT_MS = 5 * 60_000;

function nextStepAt(ports: SessionPorts, turn: Turn): number {
  return inReach(turn.nextAt, ports.now(), LONGEST_WAIT_MS);
}

function retryAt(ports: SessionPorts): number {
  const at = getSetting(ports.store.settings, "workRetryAt") ?? 0;
  return inReach(at, ports.now(), LONGEST_WAIT_MS);
}

const GIVE_UP_AFTER = 5;

/** What an error came from, and so what is given up first if it keeps coming. */
type Suspect = "turn" | "command";

/** An error outside any step: wait, longer each time; in the end give up what stands in the way. */
function failed(ports: SessionPorts, error: unknown, suspect: Suspect): void {
  const failures = (getSetting(ports.store.settings, "workFailures") ?? 0) + 1;
  ports.log.error("work.failed", { session: ports.key, failures, error: describeError(error) });
  setFailures(ports, failures);
  if (failures >= GIVE_UP_AFTER) giveUp(ports, suspect);
}

function setFailures(ports: SessionPorts, failures: number): void {
  const { settings } = ports.store;
  if ((getSetting(settings, "workFailures") ?? 0) === failures) return;
  setSetting(settings, "workFailures", failures);
  setSetting(settings, "workRetryAt", failures === 0 ? 0 : ports.now() + 500 * 3 ** failures);
}

/** Ends the turn, or sets aside the command or message, that work cannot get past. */
function giveUp(ports: SessionPorts, suspect: Suspect): void {
  const turn = ports.store.turns.running();
  const command = ports.store.inbox.list("waiting", "command", 1)[0];
  if (turn && !(suspect === "command" && command)) giveUpTurn(ports, turn);
  else if (command) giveUpCommand(ports, command);
  else giveUpMessages(ports);
  setFailures(ports, 0);
}

const GAVE_UP = "Something went wrong inside me and I could not go on. /again tries once more.";

function giveUpTurn(ports: SessionPorts, turn: Turn): void {
  ports.store.transaction(() =>
    endTurn(ports, turn, { status: "failed", text: GAVE_UP, reason: "internal" }),
  );
  announceEnd(ports, turn.id);
}

function giveUpCommand(ports: SessionPorts, command: InboxItem): void {
  ports.store.transaction(() => {
    ports.store.inbox.mark([command.seq], "done", null);
    const text = "That command failed for a reason inside me.";
    const { route } = command.message;
    say(ports, { key: commandKey(command.seq), turnId: null, kind: "command", text, route });
  });
  announceCommand(ports, command.seq);
}

function giveUpMessages(ports: SessionPorts): void {
  const items = plan(ports).take?.rows ?? [];
  const turnId = ports.store.transaction(() => setAside(ports, items, "internal", GAVE_UP));
  if (turnId) announceEnd(ports, turnId);
}
