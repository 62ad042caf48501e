import type { JournalRow } from "#contract/turn.ts";

/**
 * Is the model going round in circles? The same call with the same result three times earns a
 * warning in the result, five times ends the turn; so do two calls that alternate, and a tool that
 * does not exist. Rows are the turn's finished calls in order. Pure.
 */
export type LoopVerdict = "fine" | "warn" | "stop";

const WARN = 3;
const STOP = 5;

export function judgeLoop(rows: readonly JournalRow[]): LoopVerdict {
  const marks = rows.map(fingerprint);
  const last = marks.at(-1);
  if (last === undefined) return "fine";
  const same = trailing(marks, (mark) => mark === last);
  const repeats = Math.max(same, alternations(marks));
  if (repeats >= STOP) return "stop";
  return repeats >= WARN ? "warn" : "fine";
}

function fingerprint(row: JournalRow): string {
  return JSON.stringify([row.name, row.input, row.output?.text ?? ""]);
}

function trailing(marks: readonly string[], holds: (mark: string) => boolean): number {
  let count = 0;
  for (let index = marks.length - 1; index >= 0; index--) {
    if (!holds(marks[index] ?? "")) break;
    count++;
  }
  return count;
}

/** Complete A-B pairs at the end, when A and B differ. */
function alternations(marks: readonly string[]): number {
  const b = marks.at(-1);
  const a = marks.at(-2);
  if (a === undefined || a === b) return 0;
  let pairs = 0;
  for (let index = marks.length - 1; index >= 1; index -= 2) {
    if (marks[index] !== b || marks[index - 1] !== a) break;
    pairs++;
  }
  return pairs;
}
