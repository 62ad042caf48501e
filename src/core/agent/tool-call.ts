import type { AskRequest, Tool, ToolContext } from "#contract/tool.ts";
import type { Log } from "#contract/ports.ts";
import type { Result } from "#contract/result.ts";
import { err, ok } from "#contract/result.ts";
import type { JournalRow, ToolOutput } from "#contract/turn.ts";
import type { Timers } from "#core/state/ports.ts";
import { limitToolResult } from "./tool-result.ts";
import { describeError } from "#kit/redact.ts";

/**
 * One tool call: prepare (is there such a tool, are the arguments whole and valid?) → execute, bounded
 * in time → finalize (cut to size). Everything that can go wrong becomes a result the model can read;
 * a call whose arguments are cut or invalid never runs.
 */
export interface CallScope {
  readonly contextFor: (row: JournalRow, signal: AbortSignal) => ToolContext;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly timers: Timers;
  readonly log: Log;
  /** Tokens of the model's window: bounds the size of a result. */
  readonly contextWindow: number;
}

/** A result, or a question to the person whose answer will be the result. */
export type CallOutcome = ToolOutput & { readonly ask?: AskRequest };

export async function runCall(
  tool: Tool | undefined,
  row: JournalRow,
  scope: CallScope,
): Promise<CallOutcome> {
  if (!tool) return { text: `There is no tool named "${row.name ?? ""}" here.`, isError: true };
  const input = readArguments(tool, row.input ?? "{}");
  if (!input.ok) return { text: input.error, isError: true };
  const outcome = await execute(tool, input.value, row, scope);
  return { ...outcome, text: limitToolResult(outcome.text, scope.contextWindow, outcome.isError) };
}

/** Arguments as the tool's schema makes them; the error names the field that is wrong. */
export function readArguments(tool: Tool, text: string): Result<unknown, string> {
  let raw: unknown;
  try {
    raw = JSON.parse(text.trim() === "" ? "{}" : text);
  } catch {
    return err(`The arguments of ${tool.name} are not valid JSON; the call was not run.`);
  }
  const parsed = tool.parameters.safeParse(raw);
  if (parsed.success) return ok(parsed.data);
  const issues = parsed.error.issues.slice(0, 5).map((issue) => {
    const field = issue.path.map(String).join(".");
    return field ? `${field}: ${issue.message}` : issue.message;
  });
  return err(`${tool.name} was not run: ${issues.join("; ")}`);
}

async function execute(
  tool: Tool,
  input: unknown,
  row: JournalRow,
  scope: CallScope,
): Promise<CallOutcome> {
  const timeout = new AbortController();
  const cancel = scope.timers.after(scope.timeoutMs, () => timeout.abort());
  const signal = AbortSignal.any([scope.signal, timeout.signal]);
  const stopped = new Promise<never>((_resolve, reject) => {
    const stop = () => reject(new Stopped());
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  try {
    const outcome = await Promise.race([
      tool.execute(input, scope.contextFor(row, signal)),
      stopped,
    ]);
    const { text, isError = false, silence, untrusted, framed, ask } = outcome;
    return {
      text: text === "" ? "(no output)" : text,
      isError,
      ...(silence ? { silence } : {}),
      ...(untrusted ? { untrusted } : {}),
      ...(framed ? { framed } : {}),
      ...(ask ? { ask } : {}),
    };
  } catch (error) {
    return failure(tool, error, timeout.signal.aborted, scope);
  } finally {
    cancel();
  }
}

class Stopped extends Error {}

const DOUBT: Readonly<Record<Tool["replay"], string>> = {
  safe: "",
  // Written down before it is made, so it is made even if nobody waits any more.
  keyed:
    " Whether it took effect is unknown, and it may still do so: do not repeat it, but check in a while.",
  unsafe: " Whether it took effect is unknown.",
};

function failure(tool: Tool, error: unknown, timedOut: boolean, scope: CallScope): ToolOutput {
  // What does more than read may have acted before it broke off, or may act yet.
  const doubt = DOUBT[tool.replay];
  if (timedOut) {
    const seconds = Math.round(scope.timeoutMs / 1000);
    return { text: `${tool.name} did not finish within ${seconds} s.${doubt}`, isError: true };
  }
  if (error instanceof Stopped) return { text: `Stopped by the person.${doubt}`, isError: true };
  scope.log.error("tool.threw", { tool: tool.name, error: describeError(error) });
  const failed = doubt === "" ? "failed" : "gave no result";
  return { text: `${tool.name} ${failed} for an internal reason.${doubt}`, isError: true };
}
