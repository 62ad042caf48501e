import type { Candidate, MemoryChange, MemoryPlan } from "#contract/dreaming.ts";
import { triggersOf } from "./concepts.ts";
import type { Judged } from "./deep.ts";
import { saysTheSame, shapeOf } from "./dedupe.ts";
import { covers, maxTextLength } from "./grounding.ts";
import { replacedBy } from "./known.ts";
import { denies } from "./meaning.ts";
import {
  type Draft,
  type ManagedEntry,
  type MemoryFile,
  parseMemoryFile,
  sizeOf,
} from "./memory-file.ts";
import { putEntry, retireEntry, sourcesOf, type Step } from "./plan.ts";
import { subjectKey } from "./supersede.ts";
import type { CuratedLine } from "#contract/dreaming.ts";

/**
 * Promotion by rule: for nights without a model, for an answer that cannot be accepted, and for a file
 * that changed under a night's hands. The words are the candidate's own; it adds, replaces what has
 * become wrong, and makes room by retiring at most a quarter of our entries, the least important and
 * oldest first. What finds no room is named and not added.
 */
export const maxRetiredShare = 0.25;

export interface Room {
  /** Characters of MEMORY.md. */
  readonly budget: number;
  /** Entries that may still be retired tonight. */
  readonly retirable: number;
  /** Texts of entries that are of tonight: they stay. */
  readonly fresh?: readonly string[];
}

export function mayRetire(entries: number): number {
  return Math.floor(entries * maxRetiredShare);
}

export function planAppendOnly(
  lines: readonly CuratedLine[],
  ready: readonly Judged[],
  budget: number,
): MemoryPlan {
  const file = parseMemoryFile(lines);
  const room = { budget, retirable: mayRetire(file.entries.length) };
  return { mode: "append-only", diary: null, ...appendByRule(file, ready, room) };
}

export function appendByRule(
  start: MemoryFile,
  ready: readonly Judged[],
  room: Room,
): Pick<MemoryPlan, "lines" | "changes" | "noRoom"> {
  let { file, retirable } = { file: start, retirable: room.retirable };
  const changes: MemoryChange[] = [];
  const noRoom: string[] = [];
  // What is wrong by now makes no room for others before it was put right.
  const replaces = ({ candidate }: Judged) => Number(replacedBy(candidate, start.entries) !== null);
  const ordered = ready.toSorted((first, second) => replaces(second) - replaces(first));
  for (const judged of ordered) {
    if (isThere(judged.candidate, file)) continue;
    const fresh = changes.flatMap(({ text }) => text ?? []);
    const steps = fit(file, judged, {
      ...room,
      retirable,
      fresh: [...(room.fresh ?? []), ...fresh],
    });
    if (steps === null) {
      noRoom.push(judged.candidate.text);
      const wrong = withoutWrong(file, judged.candidate);
      if (wrong === null) continue;
      changes.push(wrong.change);
      file = wrong.file;
      continue;
    }
    changes.push(...steps.map(({ change }) => change));
    retirable -= steps.filter(({ change }) => change.type === "retired").length;
    file = steps.at(-1)?.file ?? file;
  }
  return { lines: [...file.lines], changes, noRoom };
}

/** What has become wrong goes, also where there is no room for what is right; what is only told at length stays. */
function withoutWrong(file: MemoryFile, candidate: Candidate): Step | null {
  const old = replacedBy(candidate, file.entries);
  if (old === null) return null;
  const holds = covers(candidate.text, old.text) && denies(candidate.text) === denies(old.text);
  return holds ? null : retireEntry(file, old.line);
}

function isThere(candidate: Candidate, file: MemoryFile): boolean {
  const shape = shapeOf(candidate.text);
  const anchors = new Set(file.entries.flatMap(({ from }) => from));
  return (
    anchors.has(candidate.source) ||
    [...file.handWritten, ...file.entries.map(({ text }) => text)].some((text) =>
      saysTheSame(shapeOf(text), shape),
    )
  );
}

/** The steps that bring the candidate in; null when it has no room. */
function fit(start: MemoryFile, judged: Judged, room: Room): Step[] | null {
  const draft = draftOf(judged);
  if (draft.text.length > maxTextLength) return null;
  const old = replacedBy(judged.candidate, start.entries);
  // A budget that was lowered must not keep what has become wrong.
  const limit = old ? Math.max(room.budget, sizeOf(start.lines)) : room.budget;
  const kept = [...(room.fresh ?? []), ...(old ? [old.text] : [])];
  const steps: Step[] = [];
  for (;;) {
    const file = steps.at(-1)?.file ?? start;
    const put = place(file, draft, old);
    if (put === null) return null;
    if (sizeOf(put.file.lines) <= limit) return [...steps, put];
    const least = steps.length < room.retirable ? leastOf(file, draft, kept) : null;
    if (least === null) return null;
    steps.push(retireEntry(file, least.line));
  }
}

function place(file: MemoryFile, draft: Draft, old: ManagedEntry | null): Step | null {
  if (old === null) return putEntry(file, draft, [], "added");
  return putEntry(file, withProjects(draft, old), [lineOf(file, old)], "superseded");
}

function withProjects(draft: Draft, { projects, importance }: ManagedEntry): Draft {
  return { ...draft, projects, importance: Math.max(draft.importance, importance) };
}

/** Where an entry stands after others have gone. */
function lineOf(file: MemoryFile, entry: ManagedEntry): number {
  const same = (other: ManagedEntry) =>
    other.text === entry.text && other.from.join() === entry.from.join();
  return file.entries.find(same)?.line ?? entry.line;
}

/** What may go for this draft: nothing that is more important, or as important and newer. */
function leastOf(file: MemoryFile, draft: Draft, kept: readonly string[]): ManagedEntry | null {
  const day = dayOf(draft);
  return (
    file.entries
      .filter(({ text }) => !kept.includes(text))
      .filter(
        (entry) =>
          entry.importance < draft.importance ||
          (entry.importance === draft.importance && (entry.day ?? "") < day),
      )
      .toSorted(
        (first, second) =>
          first.importance - second.importance ||
          (first.day ?? "").localeCompare(second.day ?? "") ||
          first.line - second.line,
      )[0] ?? null
  );
}

function dayOf({ from }: Draft): string {
  return (
    from
      .flatMap((source) => /\d{4}-\d{2}-\d{2}/.exec(source)?.[0] ?? [])
      .toSorted()
      .at(-1) ?? ""
  );
}

/** An entry in the candidate's own words. */
function draftOf({ candidate, path, score }: Judged): Draft {
  return {
    text: ownWords(candidate),
    importance: importanceOf(candidate.text, path, score),
    triggers: triggersOf(candidate.text),
    key: subjectKey(candidate.text),
    from: sourcesOf([candidate]),
  };
}

/** First person would be the agent's in a file the agent reads. */
function ownWords({ text, trust }: Candidate): string {
  const plain = text
    .replaceAll(/<!--|-->/g, " ")
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  const told =
    trust === "owner" &&
    /^(?:.*\b)?(?:i|i'm|i’m|my|me|mine|we|our)\b|我|私|僕|俺|나는|저는|내/iu.test(plain);
  const sentence = told ? `Owner: ${plain}` : plain;
  return /^(?:#|[-*+>]\s|\d+[.)]\s|```|\|)/.test(sentence) ? `“${sentence}”` : sentence;
}

/**
 * 8 for what was asked for, 7 for what an owner corrects or what is about a person's lasting state, else
 * 5; one more for words that say it matters, or for a score above 1.
 */
function importanceOf(text: string, path: Judged["path"], score: number): number {
  const lasting = path === "correction" || subjectKey(text) !== null;
  const base = path === "asked" ? 8 : lasting ? 7 : 5;
  const matters =
    /\b(?:allerg\w*|always|never|important|emergency|medication|must)\b|过敏|重要|一定|永远/iu.test(
      text,
    );
  return Math.min(10, base + Number(matters || score > 1));
}
