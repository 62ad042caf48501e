import type { ModelFault } from "#contract/fault.ts";
import { faultText, retryClass } from "#contract/fault.ts";
import type { ToolCall, Usage } from "#contract/model.ts";
import type { Trust } from "#contract/transcript.ts";
import { JOURNAL_VERSION, type Turn } from "#contract/turn.ts";
import { egress } from "#kit/egress.ts";
import { estimateMessageTokens } from "#kit/tokens.ts";
import { backoffMs, jitterOf } from "#core/delivery/backoff.ts";
import { commit, TurnEnded } from "#core/state/fence.ts";
import type { ResolvedModel, SessionPorts } from "#core/state/ports.ts";
import { recordUsage } from "#core/state/usage.ts";
import { assemble } from "./assemble.ts";
import { endTurn } from "./finish.ts";
import { halveHistory } from "./history.ts";
import { appendEntry } from "./ingest.ts";
import { callModel, type ModelOutcome } from "./model-call.ts";
import { createPreview } from "./preview.ts";
import type { Run } from "./run.ts";

/**
 * One model call of a turn. The journal row is there before the request leaves (openModelCall); the
 * answer is stored whole, with the calls it makes, in the transaction that closes the row. Only then
 * does anything of it happen.
 */
export async function modelStep(run: Run, model: ResolvedModel): Promise<void> {
  if (run.signal.aborted) throw new TurnEnded();
  const { request, tainted } = assemble(run.ports, run.turn, model);
  const preview = createPreview(run);
  const startedAt = run.ports.now();
  let outcome: ModelOutcome;
  try {
    outcome = await callModel({
      provider: model.provider,
      request,
      signal: run.signal,
      idleMs: run.ports.config.limits.streamIdleSeconds * 1000,
      timers: run.ports.timers,
      now: run.ports.now,
      readMedia: (key) => run.ports.media.get(key),
      onEvent: (event) => {
        if (event.type === "text-delta") preview.add(event.text);
      },
    });
  } finally {
    await preview.settle();
  }
  closeStep(run, model, { outcome, tainted, latencyMs: run.ports.now() - startedAt });
}

/** Writes the journal row, unless an interrupted run left it; in the transaction that enters the step. */
export function openModelCall(ports: SessionPorts, turn: Turn): void {
  const { journal } = ports.store;
  if (journal.ofStep(turn.id, turn.step).some((row) => row.position === 0)) return;
  journal.insert({
    turnId: turn.id,
    step: turn.step,
    position: 0,
    kind: "model",
    status: "started",
    version: JOURNAL_VERSION,
    callId: null,
    name: null,
    input: null,
    output: null,
  });
}

interface Finished {
  readonly outcome: ModelOutcome;
  readonly latencyMs: number;
  /** What the model read was not all to be trusted: so is what it wrote. */
  readonly tainted: boolean;
}

function closeStep(run: Run, model: ResolvedModel, finished: Finished): void {
  const { ports, runner } = run;
  const { latencyMs } = finished;
  const outcome = orEmpty(finished.outcome);
  const { type, usage } = finished.outcome;
  try {
    commit(ports, runner, run.turn.id, (current) => {
      let turn = current;
      // What failed without a word of what it used was most likely not even begun.
      if (type === "answer" || usage !== null) {
        recordUsage(ports, turn, model, { usage, latencyMs });
        turn = withUsage(turn, usage);
      }
      if (outcome.type === "fault") fault(ports, turn, model, outcome);
      else answer(ports, turn, outcome, finished.tainted ? "untrusted" : "agent");
    });
  } catch (error) {
    // Stopped: nothing of it happens any more, but it has been paid for.
    if (error instanceof TurnEnded) {
      const call = { usage, latencyMs };
      ports.store.transaction(() => recordUsage(ports, run.turn, model, call));
    }
    throw error;
  }
  if (outcome.type === "answer") {
    const { text } = egress(textOf(outcome), "chat");
    ports.live.emit(run.turn.id, { type: "text-end", text });
  } else {
    ports.live.emit(run.turn.id, { type: "restart" });
  }
}

/** An answer of which nothing may be shown, and that asks for no silence, is none. */
function orEmpty(outcome: ModelOutcome): ModelOutcome {
  if (outcome.type === "fault" || callsOf(outcome).length > 0) return outcome;
  const shown = egress(textOf(outcome), "chat");
  if (shown.text !== "" || shown.silent) return outcome;
  const message = "nothing but reasoning or leaked tool calls";
  const { usage } = outcome;
  return { type: "fault", fault: { reason: "empty", message }, partialText: "", usage };
}

function callsOf({ message }: Answer): ToolCall[] {
  return message.content.filter((part): part is ToolCall => part.type === "tool-call");
}

type Answer = Extract<ModelOutcome, { type: "answer" }>;

function answer(ports: SessionPorts, turn: Turn, outcome: Answer, trust: Trust): void {
  const { journal, turns } = ports.store;
  const { message, stopReason } = outcome;
  appendEntry(ports, {
    sessionId: turn.sessionId,
    turnId: turn.id,
    at: ports.now(),
    role: "assistant",
    trust,
    tokens: estimateMessageTokens(message),
    content: message.content,
    status: "complete",
  });
  journal.finish(turn.id, turn.step, 0, null);
  const calls = callsOf(outcome);
  if (calls.length === 0) {
    const cut = stopReason === "length" ? "\n\n_(cut: the model's output limit was reached)_" : "";
    const reason = stopReason === "refusal" || stopReason === "length" ? stopReason : "end";
    endTurn(ports, turn, { status: "done", text: textOf(outcome) + cut, reason });
    return;
  }
  calls.forEach((call, index) =>
    journal.insert({
      turnId: turn.id,
      step: turn.step,
      position: index + 1,
      kind: "tool",
      status: "pending",
      version: JOURNAL_VERSION,
      callId: call.id,
      name: call.name,
      input: call.arguments,
      output: null,
    }),
  );
  turns.update(turn.id, {
    phase: "tools",
    attempts: 0,
    resumes: 0,
    nextAt: 0,
    detail: turn.detail,
  });
}

/** What a failed call means for the turn: try again later, make room, or say so and end. */
function fault(
  ports: SessionPorts,
  turn: Turn,
  model: ResolvedModel,
  outcome: Extract<ModelOutcome, { type: "fault" }>,
): void {
  const attempts = turn.attempts + 1;
  const { reason, message, unreached } = outcome.fault;
  const where = unreached === undefined ? {} : { unreached };
  const failure = { turn: turn.id, model: model.name, reason, message, attempts, ...where };
  ports.log.warn("model.failed", failure);
  const again = nextTry(ports, turn, outcome.fault, attempts);
  if (again === null) {
    const text = faultText(tellable(turn, outcome.fault), model.name);
    endTurn(ports, turn, { status: "failed", text, reason });
    return;
  }
  ports.store.turns.update(turn.id, {
    attempts,
    resumes: 0,
    nextAt: again.at,
    detail: { ...turn.detail, ...(again.repaired ? { repaired: true } : {}) },
  });
}

/** Where a model runs is nobody's business but its owner's. */
function tellable({ detail }: Turn, { unreached, ...rest }: ModelFault): ModelFault {
  return detail.interactiveOwner && unreached !== undefined ? { ...rest, unreached } : rest;
}

/** Longer than this nobody waits for an answer: better to say so now. */
const LONGEST_WAIT_MS = 120_000;

function nextTry(
  ports: SessionPorts,
  turn: Turn,
  modelFault: ModelFault,
  attempts: number,
): { readonly at: number; readonly repaired: boolean } | null {
  if (attempts >= ports.config.models.attempts) return null;
  switch (retryClass(modelFault.reason)) {
    case "never":
      return null;
    case "repair":
      if (turn.detail.repaired || !halveHistory(ports, turn)) return null;
      return { at: 0, repaired: true };
    case "retry": {
      if ((modelFault.retryAfterMs ?? 0) > LONGEST_WAIT_MS) return null;
      const wait = backoffMs(attempts, modelFault.retryAfterMs, jitterOf(`${turn.id}${attempts}`));
      return { at: ports.now() + wait, repaired: false };
    }
  }
}

function textOf({ message }: Answer): string {
  return message.content
    .filter((part) => part.type === "text")
    .map((part) => part.text)
    .join("")
    .trim();
}

/** Stored with whatever becomes of the turn in the same transaction. */
function withUsage(turn: Turn, usage: Usage | null): Turn {
  if (usage === null) return { ...turn, detail: { ...turn.detail, unreported: true } };
  const sum = turn.detail.usage;
  const total: Usage = {
    input: (sum?.input ?? 0) + usage.input,
    output: (sum?.output ?? 0) + usage.output,
    cacheRead: (sum?.cacheRead ?? 0) + usage.cacheRead,
    cacheWrite: (sum?.cacheWrite ?? 0) + usage.cacheWrite,
  };
  return { ...turn, detail: { ...turn.detail, usage: total } };
}
