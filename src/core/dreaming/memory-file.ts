import type { CuratedLine } from "#contract/dreaming.ts";
import { isClean } from "#contract/transcript.ts";
import { isAnchor } from "#core/memory/anchors.ts";
import { readNotes, stripNotes } from "#core/memory/entry-notes.ts";
import { subjectKey } from "./supersede.ts";

/**
 * MEMORY.md and its entries. Ours is a list item in a clean line with a readable `from:` note, wherever
 * it stands: an owner takes one over by removing the note. All else is the owner's and is never changed,
 * moved or counted as an entry: headings, prose, lists of their own, notes we cannot read. So whatever a
 * person writes there, the file can be read.
 * Lines that are not clean (see evidence.ts) stay where they are; nothing is taken from them, and they
 * do not count in the budget, because they reach no prompt either. Empty lines say nothing and have no
 * class.
 */
export interface ManagedEntry {
  /** Index in the file's lines. */
  readonly line: number;
  readonly text: string;
  readonly importance: number;
  readonly triggers: readonly string[];
  readonly projects: readonly string[];
  /** Subject of which there is only one truth; null = none. */
  readonly key: string | null;
  /** Where it is from, as `path#hash`. */
  readonly from: readonly string[];
  /** Newest day among its sources. */
  readonly day: string | null;
}

export interface MemoryFile {
  readonly lines: readonly CuratedLine[];
  readonly entries: readonly ManagedEntry[];
  /** Clean lines of the owner's that say something, without notes. */
  readonly handWritten: readonly string[];
}

/** Importance of an entry that does not say. */
const neutralImportance = 5;
export const sectionHeading = "## Learned";

export function parseMemoryFile(lines: readonly CuratedLine[]): MemoryFile {
  const entries: ManagedEntry[] = [];
  const handWritten: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (!isClean(line.trust) || line.text.trim() === "") continue;
    const entry = readEntry(line.text, index);
    if (entry) entries.push(entry);
    else handWritten.push(stripNotes(line.text).trim());
  }
  return { lines, entries, handWritten: handWritten.filter(saysSomething) };
}

export function textOf(lines: readonly CuratedLine[]): string {
  return lines.map(({ text }) => text).join("\n");
}

/** Characters that count in the budget. */
export function sizeOf(lines: readonly CuratedLine[]): number {
  return textOf(lines.filter(counts)).length;
}

function counts({ text, trust }: CuratedLine): boolean {
  return isClean(trust) || text.trim() === "";
}

/** Everything that is not ours, in order: the same before and after a night, but for the heading. */
export function othersLines({ lines, entries }: MemoryFile): CuratedLine[] {
  const ours = new Set(entries.map(({ line }) => line));
  return lines.filter((_line, index) => !ours.has(index));
}

/** A comment that nobody closes goes to the end, so that a line of open ones is gone through once. */
function saysSomething(text: string): boolean {
  if (/^#{1,6}(?: |$)/.test(text)) return false;
  return /[\p{L}\p{N}]/u.test(text.replaceAll(/<!--[^]*?(?:-->|$)/g, ""));
}

function readEntry(raw: string, line: number): ManagedEntry | null {
  const notes = readNotes(raw);
  const from = (notes.from ?? "").split(/,\s*/).filter(isAnchor);
  const text = /^- (.+)$/u.exec(stripNotes(raw).trimEnd())?.[1]?.trim();
  if (from.length === 0 || text === undefined || text === "") return null;
  return {
    line,
    text,
    importance: notes.importance ?? neutralImportance,
    triggers: notes.triggers,
    projects: notes.projects,
    key: notes.key ?? subjectKey(text),
    from,
    day: dayOfSources(from),
  };
}

/** A source without a date in its path has none. */
function dayOfSources(sources: readonly string[]): string | null {
  const days = sources.flatMap((source) => /(\d{4}-\d{2}-\d{2})[^/]*#/.exec(source)?.[1] ?? []);
  return days.toSorted().at(-1) ?? null;
}

/** An entry to be. */
export interface Draft {
  readonly text: string;
  readonly importance: number;
  readonly triggers: readonly string[];
  readonly projects?: readonly string[];
  readonly key: string | null;
  readonly from: readonly string[];
}

const maxSources = 8;
/** A note longer than this is not read any more; what does not fit is the oldest. */
const maxFromLength = 800;

/** The line of an entry; null when none of its sources can be told. */
export function renderEntry(draft: Draft): string | null {
  const from: string[] = [];
  for (const source of draft.from.filter(isAnchor).slice(0, maxSources)) {
    if ([...from, source].join(", ").length > maxFromLength) break;
    from.push(source);
  }
  if (from.length === 0) return null;
  const triggers = draft.triggers.map(noteValue).filter((trigger) => trigger !== "");
  const notes = [
    `importance: ${draft.importance}`,
    ...(triggers.length > 0 ? [`trigger: ${triggers.join(", ")}`] : []),
    ...(draft.projects ?? []).map((project) => `project: ${project}`),
    ...(draft.key === null ? [] : [`key: ${noteValue(draft.key)}`]),
    `from: ${from.join(", ")}`,
  ];
  return [`- ${draft.text}`, ...notes.map((note) => `<!-- ${note} -->`)].join(" ");
}

function noteValue(text: string): string {
  return text
    .replaceAll(/[,;、,;|<>\n\r]|--+/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

export interface Edit {
  /** New line of an entry by the index of its present one; null removes it. */
  readonly replaced: ReadonlyMap<number, string | null>;
  readonly added: readonly string[];
}

/** The lines with an edit made. New entries go behind the last of ours, or into a section of their own. */
export function editLines(file: MemoryFile, { replaced, added }: Edit): CuratedLine[] {
  const behind = insertAfter(file);
  const fresh = added.length === 0 ? [] : freshLines(file, added, behind);
  const result: CuratedLine[] = behind < 0 ? [...fresh] : [];
  for (const [index, line] of file.lines.entries()) {
    const text = replaced.get(index);
    if (text === undefined) result.push(line);
    else if (text !== null) result.push({ text, trust: "agent" });
    if (index === behind) result.push(...fresh);
  }
  return result;
}

/** Index of the line behind which new ones go; it depends on clean lines alone. */
function insertAfter({ lines, entries }: MemoryFile): number {
  const last = entries.at(-1);
  if (last) return last.line;
  const heading = lines.findIndex(isSection);
  if (heading >= 0) return heading;
  const clean = lines.findLastIndex((line) => isClean(line.trust) && line.text.trim() !== "");
  return clean >= 0 ? clean : openingComment(lines);
}

/** The product's own comment at the top of a file that nobody has filled in yet; -1 = none. */
function openingComment(lines: readonly CuratedLine[]): number {
  const first = lines.findIndex(({ text }) => text.trim() !== "");
  const line = lines[first];
  return line?.trust === "system" && /^<!--.*-->$/.test(line.text.trim()) ? first : -1;
}

function isSection({ text, trust }: CuratedLine): boolean {
  return isClean(trust) && text.trim() === sectionHeading;
}

function freshLines(
  { lines, entries }: MemoryFile,
  added: readonly string[],
  behind: number,
): CuratedLine[] {
  const own = added.map((text) => ({ text, trust: "agent" as const }));
  if (entries.length > 0) return own;
  const blank = { text: "", trust: "agent" as const };
  if (lines.some(isSection)) return [blank, ...own];
  const heading = { text: sectionHeading, trust: "agent" as const };
  return [
    ...(behind < 0 ? [] : [blank]),
    heading,
    blank,
    ...own,
    ...(endsOpen(lines) ? [blank] : []),
  ];
}

/** A file's last line ends like every line. */
function endsOpen(lines: readonly CuratedLine[]): boolean {
  return lines.findLast(counts)?.text !== "";
}
