import type { Candidate, MemoryChange } from "#contract/dreaming.ts";
import { stem } from "#kit/text/stem.ts";
import { wordsOf } from "#kit/text/words.ts";
import { triggersOf } from "./concepts.ts";
import {
  type Draft,
  editLines,
  type MemoryFile,
  othersLines,
  parseMemoryFile,
  renderEntry,
  sectionHeading,
} from "./memory-file.ts";
import { subjectKey } from "./supersede.ts";

/** What model turn and rules have in common: how a change of MEMORY.md is put together. */
export interface Step {
  readonly file: MemoryFile;
  readonly change: MemoryChange;
}

/** Puts an entry in the place of others (the first of them), or behind the last. Null = no source to tell. */
export function putEntry(
  file: MemoryFile,
  draft: Draft,
  replaced: readonly number[],
  type: "added" | "merged" | "superseded",
): Step | null {
  const line = renderEntry(draft);
  if (line === null) return null;
  const [place, ...gone] = replaced;
  const edits = new Map<number, string | null>(gone.map((index) => [index, null]));
  if (place !== undefined) edits.set(place, line);
  const lines = editLines(file, { replaced: edits, added: place === undefined ? [line] : [] });
  return {
    file: parseMemoryFile(lines),
    change: {
      type,
      text: draft.text,
      replaced: replaced.map((index) => entryText(file, index)),
      sources: [...draft.from],
    },
  };
}

export function retireEntry(file: MemoryFile, index: number): Step {
  const entry = file.entries.find(({ line }) => line === index);
  return {
    file: parseMemoryFile(editLines(file, { replaced: new Map([[index, null]]), added: [] })),
    change: {
      type: "retired",
      text: null,
      replaced: [entryText(file, index)],
      sources: [...(entry?.from ?? [])],
    },
  };
}

function entryText(file: MemoryFile, index: number): string {
  return file.entries.find(({ line }) => line === index)?.text ?? "";
}

/** Sources of candidates, newest first. */
export function sourcesOf(candidates: readonly Candidate[]): string[] {
  const mentions = candidates.flatMap((candidate) => candidate.mentions);
  const newest = mentions.toReversed().toSorted((first, second) => second.at - first.at);
  return [...new Set(newest.map(({ source }) => source))];
}

export function keyOfTexts(texts: readonly string[]): string | null {
  return texts.flatMap((text) => subjectKey(text) ?? [])[0] ?? null;
}

const maxTriggerLength = 40;

/**
 * One to three triggers: those proposed that are made of words of the entry or its sources, which an
 * answer of a model must not widen; else by rule.
 */
export function groundedTriggers(
  proposed: readonly string[],
  text: string,
  sources: readonly string[],
): string[] {
  const words = new Set([text, ...sources].flatMap(triggersWords));
  const kept = proposed
    .map((trigger) => trigger.normalize("NFC").toLowerCase().trim())
    .filter((trigger) => trigger.length <= maxTriggerLength && !/[,;<>|\n]|--/.test(trigger))
    .filter((trigger) => {
      const parts = triggersWords(trigger);
      return (
        parts.length > 0 && parts.every((part) => words.has(part)) && triggersOf(trigger).length > 0
      );
    });
  const distinct = [...new Set(kept)].slice(0, 3);
  return distinct.length > 0 ? distinct : triggersOf(text);
}

function triggersWords(text: string): string[] {
  return [...wordsOf(text), ...triggersOf(text)].map(stem);
}

/** Is everything that is not ours still there, in order, with nothing new but our heading? */
export function keepsOthers(before: MemoryFile, after: MemoryFile): boolean {
  const expected = othersLines(before);
  let found = 0;
  for (const { text } of othersLines(after)) {
    if (text === expected[found]?.text) found++;
    else if (text !== "" && text !== sectionHeading) return false;
  }
  return found === expected.length;
}
