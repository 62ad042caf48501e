import {
  dreamAnswerSchema,
  type DreamAnswer,
  type MemoryChange,
  type MemoryPlan,
} from "#contract/dreaming.ts";
import type { CuratedLine } from "#contract/dreaming.ts";
import { err, ok, type Result } from "#contract/result.ts";
import { appendByRule, maxRetiredShare, mayRetire } from "./append-only.ts";
import type { Judged } from "./deep.ts";
import { saysTheSame, shapeOf } from "./dedupe.ts";
import { type MemoryFile, parseMemoryFile, sizeOf } from "./memory-file.ts";
import { draftFor, type Resolved, resolve } from "./operation.ts";
import { keepsOthers, putEntry } from "./plan.ts";

/**
 * Whether what the model answered may become MEMORY.md. Nothing of its text is taken over unseen: its
 * operations are carried out by code, on entries of ours only, and the result is looked at once more. One
 * fault refuses the whole answer, and the night goes on by rule (append-only.ts). Never throws.
 */
export interface AcceptContext {
  readonly lines: readonly CuratedLine[];
  readonly ready: readonly Judged[];
  readonly budget: number;
}

const maxDiary = 400;

/** The plan, or why the answer is refused. */
export function acceptAnswer(answer: string, context: AcceptContext): Result<MemoryPlan, string> {
  const parsed = readAnswer(answer);
  if (!parsed.ok) return parsed;
  const before = parseMemoryFile(context.lines);
  const resolved = resolve(parsed.value, before, context.ready);
  if (!resolved.ok) return resolved;
  const carried = carryOut(before, resolved.value);
  if (!carried.ok) return carried;
  const { file, changes } = carried.value;
  const fault = faultOf(before, file, resolved.value, context.budget);
  if (fault !== null) return err(fault);
  // What the owner asked for is not the model's to leave out.
  const used = new Set(resolved.value.flatMap(({ candidates }) => candidates));
  const owed = context.ready.filter((one) => one.path !== "evidence" && !used.has(one));
  const rest = appendByRule(file, owed, {
    budget: context.budget,
    fresh: changes.flatMap(({ text }) => text ?? []),
    retirable: Math.max(0, mayRetire(before.entries.length) - lostOf(resolved.value).length),
  });
  return ok({
    mode: "model",
    lines: rest.lines,
    changes: [...changes, ...rest.changes],
    noRoom: rest.noRoom,
    diary: diaryOf(parsed.value),
  });
}

function readAnswer(answer: string): Result<DreamAnswer, string> {
  const start = answer.indexOf("{");
  const end = answer.lastIndexOf("}");
  if (start < 0 || end < start) return err("the answer has no JSON object");
  try {
    const read = dreamAnswerSchema.safeParse(JSON.parse(answer.slice(start, end + 1)));
    return read.success ? ok(read.data) : err("the answer is not of the form that was asked for");
  } catch {
    return err("the answer is not JSON");
  }
}

function carryOut(
  before: MemoryFile,
  operations: readonly Resolved[],
): Result<{ file: MemoryFile; changes: MemoryChange[] }, string> {
  let file = before;
  const changes: MemoryChange[] = [];
  for (const operation of operations) {
    const lines = operation.entries.map(
      (entry) =>
        file.entries.find((one) => one.from.join() === entry.from.join() && one.text === entry.text)
          ?.line,
    );
    const present = lines.filter((line) => line !== undefined);
    if (present.length !== lines.length) return err("an entry is used twice");
    const type =
      operation.action === "add" ? "added" : operation.action === "merge" ? "merged" : "superseded";
    const step = putEntry(file, draftFor(operation), present, type);
    if (step === null) return err("a promotion does not carry its source");
    file = step.file;
    changes.push(step.change);
  }
  return ok({ file, changes });
}

function faultOf(
  before: MemoryFile,
  after: MemoryFile,
  operations: readonly Resolved[],
  budget: number,
): string | null {
  const lost = lostOf(operations).length;
  const doubtful = operations.filter((operation) => operation.doubtful).length;
  const most = before.entries.length * maxRetiredShare;
  if (lost > most || lost + doubtful > Math.max(1, most)) {
    return "more than a quarter of the entries would be lost";
  }
  if (sizeOf(after.lines) > Math.max(budget, sizeOf(before.lines)))
    return "the file would be larger than its budget";
  if (!keepsOthers(before, after)) return "what the owner wrote would change";
  const replaced = operations.reduce((sum, { entries }) => sum + entries.length, 0);
  if (after.entries.length !== before.entries.length - replaced + operations.length) {
    return "the file would not read back as it was meant";
  }
  return repeats(after) ? "an entry says what is there already" : null;
}

/** Entries that are gone without having been replaced by something newer or kept in the new wording. */
function lostOf(operations: readonly Resolved[]): string[] {
  return operations.flatMap(({ lost }) => [...lost]);
}

function repeats({ entries, handWritten }: MemoryFile): boolean {
  const shapes = [...handWritten, ...entries.map(({ text }) => text)].map(shapeOf);
  const own = shapes.slice(handWritten.length);
  return own.some((shape, index) =>
    shapes.slice(0, handWritten.length + index).some((other) => saysTheSame(shape, other)),
  );
}

function diaryOf({ diary }: DreamAnswer): string | null {
  const plain = (diary ?? "")
    .replaceAll(/<!--|-->|[`#<>]/g, " ")
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  return plain === "" ? null : Array.from(plain).slice(0, maxDiary).join("");
}
