import { err, ok, type Result } from "#contract/result.ts";
import type { LineRecord } from "#contract/provenance.ts";
import type {
  LoggedOperation,
  PlannedOperation,
  SettledOperation,
  StoredFile,
} from "#contract/workspace-store.ts";
import type { WorkspaceOperation } from "#contract/workspace.ts";
import { describeError } from "#kit/redact.ts";
import { isPlainPath } from "./names.ts";
import { leavesRoom } from "./outside-room.ts";
import { withoutStandingLines } from "./copies.ts";
import { nextRecords, type Step } from "./records.ts";
import {
  applyChange,
  byteLength,
  CHANGED_MEANWHILE,
  looksApplied,
  type FileText,
} from "./apply-change.ts";

/**
 * What the logged operations of one path make of the file as it is now: which are decided already,
 * and the text that one put of all the others would write. Also how a reader sees what is logged but
 * not yet put. Pure: the writer does the putting.
 */
export interface BatchPlan {
  /** Decided without a put: refused, or found in the file after a crash. */
  readonly settled: readonly SettledOperation[];
  /** True once `text` has been put. */
  readonly applied: readonly PlannedOperation[];
  /** Null when there is no file and nothing makes one. */
  readonly text: string | null;
  readonly untrusted: boolean;
  /** What each applied operation made of the text before it, in order. */
  readonly steps: readonly Step[];
}

/**
 * `pending` in the order of the log, all of the same path as `current`. With `known`, what is known of each
 * fact of `current`, copies of better lines are left out of what is appended (copies.ts), and
 * what would leave no room for them is refused (outside-room.ts).
 */
export function planBatch(
  current: StoredFile | null,
  pending: readonly LoggedOperation[],
  known?: ReadonlyMap<string, LineRecord>,
): BatchPlan {
  const settled: SettledOperation[] = [];
  const applied: PlannedOperation[] = [];
  const steps: Step[] = [];
  let file: FileText | null = current && { text: current.text, etag: current.etag };
  let untrusted = current?.untrusted ?? false;
  let records = known;
  for (const { operation: asked, ...rest } of pending) {
    const { operationId } = asked;
    const arrived = knownResult(current, { operation: asked, ...rest });
    if (arrived) {
      settled.push(arrived);
      continue;
    }
    const operation = records ? withoutStandingLines(asked, records) : asked;
    if (operation === null) {
      applied.push({ operationId, ...standing(file) });
      continue;
    }
    const next = safely(() => nextState({ current, file, records }, { operation, ...rest }));
    if (!next.ok) {
      settled.push({ operationId, result: { ok: false, reason: next.error } });
      continue;
    }
    const { step } = next.value;
    applied.push({ operationId, size: byteLength(step.after), created: file === null });
    untrusted = markAfter(untrusted, operation);
    steps.push(step);
    records = next.value.records;
    file = { text: step.after, etag: null };
  }
  return { settled, applied, text: file?.text ?? null, untrusted, steps };
}

function markAfter(untrusted: boolean, { change, untrusted: marks }: WorkspaceOperation): boolean {
  const kept = change.type !== "write" && untrusted;
  return kept || marks === true;
}

function standing(file: FileText | null): Omit<PlannedOperation, "operationId"> {
  return { size: byteLength(textOf(file)), created: false, stands: true };
}

function afterStep(
  records: ReadonlyMap<string, LineRecord>,
  step: Step,
): ReadonlyMap<string, LineRecord> {
  // What is brought back is an owner's doing, and they append nothing in the same second.
  const next = nextRecords(records, [step], { at: 0, restored: new Map() });
  return new Map(next.map((record) => [record.hash, record]));
}

function textOf(file: FileText | null): string {
  return file?.text ?? "";
}

/**
 * A change that cannot even be thought of (an engine out of memory, a bug of ours) is refused like any
 * other: it stands in the log before it is tried, so an exception would come again with every try, and
 * with it the whole file would be lost to readers and writers.
 */
function safely<T>(plan: () => Result<T, string>): Result<T, string> {
  try {
    return plan();
  } catch (error) {
    return err(`The change could not be made: ${describeError(error)}`);
  }
}

interface NextState {
  readonly step: Step;
  readonly records: ReadonlyMap<string, LineRecord> | undefined;
}

function nextState(
  before: {
    readonly current: StoredFile | null;
    readonly file: FileText | null;
    readonly records: ReadonlyMap<string, LineRecord> | undefined;
  },
  logged: LoggedOperation,
): Result<NextState, string> {
  const text = nextText(before.current, before.file, logged);
  if (!text.ok) return text;
  const step = { operation: logged.operation, before: textOf(before.file), after: text.value };
  const records = before.records && afterStep(before.records, step);
  const room = records ? leavesRoom(step, records) : ok(undefined);
  return room.ok ? ok({ step, records }) : room;
}

const NOT_PLAIN =
  "The file was not created: with content from outside in this conversation, each part of a new path has letters, digits, dots, _ and - only, and at most 80 of them.";

function nextText(
  current: StoredFile | null,
  file: FileText | null,
  logged: LoggedOperation,
): Result<string, string> {
  if (current && !current.editable) {
    return {
      ok: false,
      error: "The file is not a text file of at most 1 MB; it was left as it is.",
    };
  }
  if (file === null && logged.operation.untrusted && !isPlainPath(logged.operation.path)) {
    return err(NOT_PLAIN);
  }
  if (logged.operation.change.type === "write" && overtaken(current, logged)) {
    return { ok: false, error: CHANGED_MEANWHILE };
  }
  return applyChange(file, logged.operation.change);
}

/** The result of an operation whose put was sent before a crash, if the file shows that it arrived. */
function knownResult(current: StoredFile | null, logged: LoggedOperation): SettledOperation | null {
  if (!logged.attempt || !current) return null;
  const { operationId, change } = logged.operation;
  const arrived =
    current.operations.includes(operationId) ||
    (overtaken(current, logged) && looksApplied(current.text, change));
  if (!arrived) return null;
  const { size, created } = logged.attempt.planned;
  return { operationId, result: { ok: true, etag: current.etag, size, created } };
}

/** A put was sent on top of a version that is no longer there, and what is there is not ours. */
function overtaken(current: StoredFile | null, logged: LoggedOperation): boolean {
  return logged.attempt !== null && logged.attempt.base !== (current?.etag ?? null);
}
