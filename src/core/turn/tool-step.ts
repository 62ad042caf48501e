import type { Tool } from "#contract/tool.ts";
import type { ToolResult } from "#contract/model.ts";
import type { JournalRow, ToolOutput, Turn } from "#contract/turn.ts";
import { memoryAccess } from "#core/agent/memory-access.ts";
import { judgeLoop } from "#core/agent/loop-guard.ts";
import { runCall, type CallScope } from "#core/agent/tool-call.ts";
import { toolsFor } from "#core/agent/tool-policy.ts";
import { assertRunner, claimEffect, commit } from "#core/state/fence.ts";
import { memoryRules } from "#core/state/memory-rules.ts";
import type { Run } from "./run.ts";
import { endTurn } from "./finish.ts";
import { appendResults } from "./tool-results.ts";
import { parkTurn } from "./park.ts";
import { waitingToSteer } from "./steer.ts";
import { hasForeignAnswer, toolScope } from "./tool-scope.ts";

/**
 * Runs the calls of one model answer: in source order, side by side where all of them only read.
 * Each call has its own journal row, written before and after. A call that an earlier run left
 * unfinished is repeated only if its tool says that is harmless.
 */
export async function toolStep(run: Run): Promise<void> {
  const { ports, turn } = run;
  const access = memoryAccess(memoryRules(ports, turn.detail.route), turn.detail);
  const tools = new Map(
    toolsFor(ports.tools, turn.detail, access).map((tool) => [tool.name, tool]),
  );
  const rows = ports.store.journal.ofStep(turn.id, turn.step).filter((row) => row.kind === "tool");
  const open = rows.filter((row) => row.status !== "done");
  const scope = await toolScope(run);
  const settle = (row: JournalRow) => settleCall(run, tools.get(row.name ?? ""), row, scope);
  if (open.every((row) => tools.get(row.name ?? "")?.replay === "safe")) {
    await Promise.all(open.map(settle));
  } else if (!(await inOrder(run, open, settle))) {
    return;
  }
  finishBatch(run);
}

/** False: the turn has been parked on the way. */
async function inOrder(
  run: Run,
  open: readonly JournalRow[],
  settle: (row: JournalRow) => Promise<boolean>,
): Promise<boolean> {
  for (const row of open) {
    if (row.status === "pending" && waitingToSteer(run.ports, run.turn) !== null) {
      store(run, row, {
        text: "Not run: skipped because of a new message, which follows.",
        isError: true,
      });
      continue;
    }
    if (!(await settle(row))) return false;
  }
  return true;
}

/** False: the call has parked the turn. */
async function settleCall(
  run: Run,
  tool: Tool | undefined,
  row: JournalRow,
  scope: CallScope,
): Promise<boolean> {
  if (row.status === "started" && tool?.replay === "unsafe") {
    store(run, row, {
      text: "Interrupted by a restart while it ran: whether it took effect is unknown. Check before you repeat it.",
      isError: true,
    });
    return true;
  }
  if (row.status === "pending") {
    commit(run.ports, run.runner, run.turn.id, () =>
      run.ports.store.journal.start(row.turnId, row.step, row.position),
    );
  }
  claimEffect(run.ports, run.runner);
  const { ask, ...output } = await runCall(tool, row, scope);
  if (ask) parkTurn(run, row, ask);
  else store(run, row, hasForeignAnswer(run.turn, row) ? asForeign(output) : output);
  return ask === undefined;
}

/** Whatever a tool makes of words that are not the person's own is somebody else's, too. */
function asForeign({ framed: _framed, ...output }: ToolOutput): ToolOutput {
  return { ...output, untrusted: true };
}

/**
 * Records a result. A turn that was stopped meanwhile still gets it: what a tool did is a fact, even
 * if nobody waits for it.
 */
function store({ ports, runner, turn }: Run, row: JournalRow, output: ToolOutput): void {
  assertRunner(ports, runner);
  ports.store.journal.finish(row.turnId, row.step, row.position, output);
  const summary = `${row.name ?? "tool"}${output.isError ? " failed" : ""}`;
  ports.live.emit(turn.id, { type: "tool", name: row.name ?? "", summary });
}

/** Writes the results as one entry and decides how the turn goes on, in one transaction. */
function finishBatch(run: Run): void {
  const { ports, runner } = run;
  commit(ports, runner, run.turn.id, (turn) => {
    const rows = ports.store.journal
      .ofStep(turn.id, turn.step)
      .filter((row) => row.kind === "tool");
    const verdict = judgeLoop(ports.store.journal.finishedCalls(turn.id));
    const results = rows.map((row, index) =>
      toResult(row, verdict === "warn" && index === rows.length - 1),
    );
    appendResults(ports, turn, rows, results);
    goOn(run, { ...turn, phase: "model" }, { rows, looping: verdict === "stop" });
  });
}

function goOn(
  { ports }: Run,
  turn: Turn,
  batch: { readonly rows: readonly JournalRow[]; readonly looping: boolean },
): void {
  if (batch.rows.some((row) => row.output?.silence)) {
    endTurn(ports, turn, { status: "done", text: "", reason: "silent" });
    return;
  }
  if (batch.looping) {
    const text =
      "I stopped: I was repeating the same step without getting further. Tell me how to go on, or send /again.";
    endTurn(ports, turn, { status: "failed", text, reason: "tool_loop" });
    return;
  }
  const { id, step } = turn;
  ports.store.turns.update(id, {
    phase: "model",
    step: step + 1,
    attempts: 0,
    resumes: 0,
    nextAt: 0,
  });
}

function toResult(row: JournalRow, warn: boolean): ToolResult {
  const text = row.output?.text ?? "";
  const warning = warn
    ? "\n\n[Pagurus] You have made this very call several times with the same result. Change your approach or finish."
    : "";
  return {
    callId: row.callId ?? "",
    name: row.name ?? "",
    text: text + warning,
    isError: row.output?.isError ?? true,
    ...(row.output?.untrusted ? { outside: row.output.framed ? "part" : "whole" } : {}),
  };
}
