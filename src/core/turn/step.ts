import type { OutcomeReason } from "#contract/outcome.ts";
import { JOURNAL_VERSION, type Turn } from "#contract/turn.ts";
import { commit, StaleRunner, TurnEnded, type Runner } from "#core/state/fence.ts";
import { withWayOut } from "#core/state/model-setting.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { gatherUnits, unitMessages } from "#core/queue/unit.ts";
import { announceEnd, endTurn } from "./finish.ts";
import { appendFiles, appendMessages, fetchAttachments } from "./ingest.ts";
import { takeLane } from "./lane.ts";
import { modelStep, openModelCall } from "./model-step.ts";
import { recall } from "./recall.ts";
import type { Run } from "./run.ts";
import { joinWaiting } from "./steer.ts";
import { toolStep } from "./tool-step.ts";
import { keepTyping } from "./typing.ts";
import { describeError } from "#kit/redact.ts";

/**
 * One step of the running turn: fetch attachments, or one model call, or one batch of tools. Entering
 * a step is counted in storage and leaving it clears the count, so a step that keeps dying (killed,
 * evicted, thrown) ends with a message after three resumes, however it died.
 */
const MAX_RESUMES = 3;

export async function takeStep(ports: SessionPorts, runner: Runner, turn: Turn): Promise<void> {
  if (!(await takeLane(ports, runner, turn))) return;
  // It may have been stopped while it waited for its lane.
  if (ports.store.turns.get(turn.id)?.status !== "running") return;
  const entered = enterStep(ports, runner, turn.id);
  if (!entered) return announceEnd(ports, turn.id);
  const controller = ports.live.begin(turn.id);
  const stopTyping = keepTyping(ports, turn.detail.route);
  try {
    await perform(ports, runner, entered, controller.signal);
  } catch (error) {
    if (error instanceof TurnEnded || error instanceof StaleRunner) return;
    ports.log.error("step.threw", {
      turn: turn.id,
      phase: entered.phase,
      error: describeError(error),
    });
    backOff(ports, runner, entered);
  } finally {
    stopTyping();
    ports.live.end(controller);
    if (ports.live.partial?.turnId === turn.id) ports.live.partial = null;
  }
  const after = ports.store.turns.get(turn.id);
  if (after && after.status !== "running") announceEnd(ports, turn.id);
}

/** Counts the entry and opens the journal of a model call. Null: the turn has been ended instead, visibly. */
function enterStep(ports: SessionPorts, runner: Runner, turnId: string): Turn | null {
  return commit(ports, runner, turnId, (turn) => {
    const problem = whyNotGoOn(ports, turn);
    if (problem) {
      endTurn(ports, turn, { status: "failed", ...problem });
      return null;
    }
    ports.store.turns.update(turn.id, { resumes: turn.resumes + 1 });
    if (turn.phase === "model") openModelCall(ports, turn);
    return turn;
  });
}

function whyNotGoOn(
  ports: SessionPorts,
  turn: Turn,
): { readonly text: string; readonly reason: OutcomeReason } | null {
  const { limits } = ports.config;
  if (turn.resumes > MAX_RESUMES) {
    const text =
      "I was interrupted several times at the same point and gave up. /again tries once more.";
    return { text, reason: "interrupted" };
  }
  const rows = ports.store.journal.ofStep(turn.id, turn.step);
  if (rows.some((row) => row.version !== JOURNAL_VERSION)) {
    const text =
      "I was updated in the middle of this answer and cannot resume it. /again starts it over.";
    return { text, reason: "journal_version" };
  }
  if (turn.step > limits.steps) {
    const text = `I stopped after ${limits.steps} steps without finishing. Say "go on" to continue from here.`;
    return { text, reason: "step_limit" };
  }
  if (ports.now() - turn.startedAt - (turn.detail.parkedMs ?? 0) > limits.turnSeconds * 1000) {
    const minutes = Math.round(limits.turnSeconds / 60);
    const text = `I stopped after ${minutes} minutes without finishing. Say "go on" to continue from here.`;
    return { text, reason: "time_limit" };
  }
  return null;
}

async function perform(
  ports: SessionPorts,
  runner: Runner,
  turn: Turn,
  signal: AbortSignal,
): Promise<void> {
  const run = { ports, runner, turn, signal };
  switch (turn.phase) {
    case "ingest": {
      await ingest(run);
      return;
    }
    case "model": {
      const model = ports.models.resolve(turn.detail.model);
      if (!model.ok) {
        commit(ports, runner, turn.id, (current) =>
          endTurn(ports, current, {
            status: "failed",
            text: withWayOut(model.error),
            reason: "not_configured",
          }),
        );
        return;
      }
      await joinWaiting(run);
      await modelStep({ ...run, turn: await recall(run, model.value) }, model.value);
      return;
    }
    case "tools":
      await toolStep(run);
  }
}

async function ingest({ ports, runner, turn, signal }: Run): Promise<void> {
  const taken = ports.store.inbox.ofTurn(turn.id).filter((item) => item.status === "taken");
  const messages = gatherUnits(taken).flatMap(unitMessages);
  // A download that nobody waits for any more ends by itself; it stores the same bytes as the next one.
  const fetched = await untilAborted(signal, fetchAttachments(ports, messages));
  commit(ports, runner, turn.id, (current) => {
    // What an earlier try left is there already, but for the files.
    const append = current.detail.retries === undefined ? appendMessages : appendFiles;
    append(ports, current, fetched);
    const seqs = taken.map((item) => item.seq);
    ports.store.inbox.mark(seqs, "done", turn.id);
    ports.store.turns.update(turn.id, { phase: "model", resumes: 0 });
  });
}

/** Throws TurnEnded as soon as the turn is stopped. */
async function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(new TurnEnded());
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** A bug must not spin: the next try of this step waits, longer each time. */
function backOff(ports: SessionPorts, runner: Runner, turn: Turn): void {
  if (ports.store.turns.get(turn.id)?.status !== "running") return;
  commit(ports, runner, turn.id, () =>
    ports.store.turns.update(turn.id, { nextAt: ports.now() + 500 * 4 ** turn.resumes }),
  );
}
