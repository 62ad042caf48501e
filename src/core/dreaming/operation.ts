import type { DreamAnswer } from "#contract/dreaming.ts";
import { err, ok, type Result } from "#contract/result.ts";
import type { Judged } from "./deep.ts";
import {
  covers,
  keepsWish,
  malformed,
  maxTextLength,
  sharesMost,
  ungrounded,
} from "./grounding.ts";
import { latestDay, replacedBy } from "./known.ts";
import type { Draft, ManagedEntry, MemoryFile } from "./memory-file.ts";
import { groundedTriggers, keyOfTexts, sourcesOf } from "./plan.ts";
import { candidateId, entryId } from "./prompt.ts";
import { contentTokens } from "./meaning.ts";

/** An operation of the model with its ids looked up and its text held against its sources. */
export interface Resolved {
  readonly action: "add" | "merge" | "supersede";
  readonly entries: readonly ManagedEntry[];
  readonly candidates: readonly Judged[];
  readonly text: string;
  readonly importance: number;
  readonly triggers: readonly string[];
  /** Texts of entries whose facts the new text does not keep. */
  readonly lost: readonly string[];
  /** It takes the place of an entry with which it has little in common. */
  readonly doubtful: boolean;
}

type Operation = DreamAnswer["operations"][number];

export function resolve(
  answer: DreamAnswer,
  file: MemoryFile,
  ready: readonly Judged[],
): Result<Resolved[], string> {
  const entries = new Map(file.entries.map((entry, index) => [entryId(index), entry]));
  const candidates = new Map(ready.map((one, index) => [candidateId(index), one]));
  const used = new Set<string>();
  const resolved: Resolved[] = [];
  for (const operation of answer.operations) {
    const ids = idsOf(operation);
    const unknown = ids.all.find((id) => !entries.has(id) && !candidates.has(id));
    if (unknown !== undefined) return err("a source or entry does not exist");
    if (operation.action === "keep") continue;
    if (new Set(ids.all).size !== ids.all.length || ids.all.some((id) => used.has(id))) {
      return err("an entry or source is used twice");
    }
    for (const id of ids.all) used.add(id);
    const one = resolveOne(operation, {
      entries: ids.entries.flatMap((id) => entries.get(id) ?? []),
      candidates: ids.sources.flatMap((id) => candidates.get(id) ?? []),
    });
    if (!one.ok) return one;
    resolved.push(one.value);
  }
  // Whatever the model calls it: what takes an entry's place takes its place.
  return ok(resolved.map((one) => inPlace(one, file, resolved)));
}

function idsOf(operation: Operation): { all: string[]; entries: string[]; sources: string[] } {
  const entries =
    operation.action === "merge"
      ? operation.entries
      : "entry" in operation
        ? [operation.entry]
        : [];
  const sources = "sources" in operation ? operation.sources : [];
  return { all: [...entries, ...sources], entries, sources };
}

interface Named {
  readonly entries: readonly ManagedEntry[];
  readonly candidates: readonly Judged[];
}

type Change = Exclude<Operation, { action: "keep" }>;

function resolveOne(operation: Change, { entries, candidates }: Named): Result<Resolved, string> {
  const { action, importance } = operation;
  const text = operation.text.trim();
  const texts = candidates.map(({ candidate }) => candidate.text);
  const old = entries.map((entry) => entry.text);
  const grounds = action === "merge" ? [...old, ...texts] : texts;
  const fault =
    shapeFault(operation, { entries, candidates }) ??
    groundFault(text, grounds, operation) ??
    wishFault(text, candidates);
  if (fault !== null) return err(fault);
  if (action === "supersede" && !isNewerOnSame(entries, candidates)) {
    return err("an entry would be replaced by something else or older");
  }
  return ok({
    action,
    entries,
    candidates,
    text,
    importance,
    triggers: groundedTriggers(operation.triggers, text, grounds),
    lost: action === "merge" ? old.filter((one) => !covers(text, one)) : [],
    doubtful: action === "supersede" && !isAboutTheSame(entries, texts),
  });
}

/** An operation names at least one thing that is new, or two that become one. */
function shapeFault({ action }: Change, { entries, candidates }: Named): string | null {
  const complete =
    action === "merge"
      ? entries.length >= 1 && entries.length + candidates.length >= 2
      : candidates.length >= 1 && entries.length === (action === "supersede" ? 1 : 0);
  return complete ? null : "a promotion does not carry its source";
}

function groundFault(
  text: string,
  grounds: readonly string[],
  { importance }: Change,
): string | null {
  const shape = malformed(text);
  if (shape !== null) return `a text is not an entry: ${shape}`;
  if (!Number.isInteger(importance) || importance < 1 || importance > 10) {
    return "an importance is not a whole number from 1 to 10";
  }
  const reason = ungrounded(text, grounds);
  return reason === null ? null : `a text is not what its sources say: ${reason}`;
}

/** Refused, it is added in the owner's own words. */
function wishFault(text: string, candidates: readonly Judged[]): string | null {
  const isKept = ({ path, candidate }: Judged) =>
    path !== "asked" ||
    // What is too long for an entry can only be shortened.
    candidate.text.length > maxTextLength ||
    keepsWish(text, candidate.text);
  return candidates.every(isKept)
    ? null
    : "a text leaves out some of what the owner asked to be remembered";
}

/** The same subject by its key, or a word in common; and not older than what it replaces. */
function isNewerOnSame(entries: readonly ManagedEntry[], candidates: readonly Judged[]): boolean {
  return entries.every((entry) =>
    candidates.some(({ candidate }) => {
      const day = latestDay(candidate) ?? "";
      if (day < (entry.day ?? "")) return false;
      const key = keyOfTexts([candidate.text]);
      if (key !== null && entry.key !== null) return key === entry.key;
      const words = contentTokens(entry.text);
      return [...contentTokens(candidate.text)].some((word) => words.has(word));
    }),
  );
}

/** The same subject by its key, or a good part of the words; one word is in many sentences. */
function isAboutTheSame(entries: readonly ManagedEntry[], texts: readonly string[]): boolean {
  const key = keyOfTexts(texts);
  return entries.every(
    (entry) =>
      (key !== null && key === entry.key) || texts.some((text) => sharesMost(entry.text, text)),
  );
}

function inPlace(one: Resolved, file: MemoryFile, all: readonly Resolved[]): Resolved {
  if (one.action !== "add") return one;
  const taken = new Set(all.flatMap(({ entries }) => entries));
  const old = one.candidates
    .flatMap(({ candidate }) => replacedBy(candidate, file.entries) ?? [])
    .find((entry) => !taken.has(entry));
  return old ? { ...one, action: "supersede", entries: [old] } : one;
}

export function draftFor(operation: Resolved): Draft {
  const { entries, candidates, text, importance, triggers } = operation;
  const from = sourcesOf(candidates.map(({ candidate }) => candidate));
  const kept = operation.action === "merge" ? entries.flatMap((entry) => entry.from) : [];
  const texts = [...candidates.map(({ candidate }) => candidate.text), text];
  return {
    text,
    importance,
    triggers,
    projects: [...new Set(entries.flatMap(({ projects }) => projects))],
    key: keyOfTexts(texts) ?? entries.find(({ key }) => key !== null)?.key ?? null,
    from: [...new Set([...from, ...kept])],
  };
}
