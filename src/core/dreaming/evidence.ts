import type {
  CleanLine,
  EvidenceLine,
  NightEvidence,
  Recall,
  RecallSignal,
} from "#contract/dreaming.ts";
import type { ClassifiedFile } from "#contract/provenance.ts";
import { isClean } from "#contract/transcript.ts";
import { lineHash } from "#core/memory/line-hash.ts";
import { isOnePersons } from "#core/routing/session-key.ts";
import { askedToRemember, contentOf, isReportLine, isTrivial, ownContentOf } from "./content.ts";
import { compareText } from "./days.ts";
import { isPassing } from "./passing.ts";

/**
 * The gate of dreaming, which everything passes before anything is counted. Lines that are untrusted,
 * of the system, waiting for adoption, or from a conversation in which no person took part, are dropped
 * by what the ledger says of them, never by what they say; so are recalls of such rows. Whatever is
 * worked out later (what is the same, ranks, caps, counts) sees the rest only, and is therefore the same
 * whether they were there or not. A line that repeats a clean one word for word is dropped like any
 * other, and the clean one stands: within one file, where a hash cannot tell the two apart, the ledger
 * has given both the lower class before they come here.
 * The order of the input means nothing, except inside a file.
 */
export const blockStart = "<!-- pagurus:dreaming -->";
export const blockEnd = "<!-- /pagurus:dreaming -->";

/** What a night looks at. With it, its stored state stays well below a row's 2 MB. */
const maxLines = 1000;
export const maxCharacters = 200_000;
const maxRecalls = 3000;

/**
 * What a recall has to score to be one: more of what was asked for is in the line than is not. A search
 * returns its best rows, and the neighbours of these; a line that was only there when somebody looked for
 * something else would gather questions and days for saying nothing.
 */
const minAnswer = 0.5;

export interface CleanEvidence {
  readonly lines: readonly CleanLine[];
  /** By source; only of lines that are in `lines`. */
  readonly recalls: ReadonlyMap<string, readonly Recall[]>;
}

/** The lines of a file of the memory, as evidence. `dayOf` gives the owner's day of an instant. */
export function evidenceOf(file: ClassifiedFile, dayOf: (at: number) => string): EvidenceLine[] {
  const dated = /(?:^|\/)(\d{4}-\d{2}-\d{2})[^/]*\.md$/.exec(file.path)?.[1];
  return file.lines.map(({ text, origin, waiting }) => ({
    path: file.path,
    hash: lineHash(text),
    text,
    origin,
    day: dated ?? dayOf(origin.at),
    ...(waiting ? { waiting } : {}),
  }));
}

export function sourceId({ path, hash }: { path: string; hash: string }): string {
  return `${path}#${hash}`;
}

export function cleanEvidence(evidence: NightEvidence): CleanEvidence {
  const recalls = recallsBySource(evidence.recalls);
  const lines = bounded(cleanLines(evidence.lines), (line) => recalls.has(line.source));
  const kept = new Set(lines.map(({ source }) => source));
  return { lines, recalls: new Map([...recalls].filter(([source]) => kept.has(source))) };
}

/** Those that pass the gate and say something, one per source, best first; not bounded. */
export function cleanLines(lines: readonly EvidenceLine[]): CleanLine[] {
  return unique(withoutOwnOutput(lines.filter(isEvidence)).flatMap(toCleanLine));
}

function isEvidence(line: EvidenceLine): boolean {
  if (!isSource(line.path) || line.waiting || line.recalled) return false;
  const { trust, session } = line.origin;
  if (!isClean(trust)) return false;
  // Without a conversation only an owner's own edit is known to be anybody's.
  if (session === undefined) return trust === "owner";
  return isOnePersons(session);
}

/** Curated files are what dreaming writes, DREAMS.md and its reports what it says: neither is evidence. */
function isSource(path: string): boolean {
  if (path.startsWith("memory/dreaming/") || !path.endsWith(".md")) return false;
  return path.startsWith("memory/") || path.startsWith("sessions/");
}

/** Blocks that carry our marks; an open one ends with its file. Clean lines only: others cannot open one. */
function withoutOwnOutput(lines: readonly EvidenceLine[]): EvidenceLine[] {
  const open = new Set<string>();
  return lines.filter((line) => {
    const text = line.text.trim();
    if (text === blockStart) open.add(line.path);
    const inside = open.has(line.path);
    if (text === blockEnd) open.delete(line.path);
    return !inside && text !== blockEnd && !isReportLine(text);
  });
}

function toCleanLine(line: EvidenceLine): CleanLine[] {
  const { trust, at } = line.origin;
  if (!isClean(trust)) return [];
  const told = trust === "owner" ? ownContentOf(line.text) : null;
  const content = trust === "owner" ? (told?.text ?? null) : contentOf(line.text);
  if (content === null) return [];
  const asked = told && askedToRemember(content, told.own);
  const text = asked ?? content;
  if (isTrivial(text) || (asked === null && isPassing(text))) return [];
  const source = sourceId(line);
  return [{ source, text, trust, day: line.day, at, explicit: asked !== null }];
}

/** One line per source, in an order that depends on the lines alone. */
function unique(lines: readonly CleanLine[]): CleanLine[] {
  const bySource = new Map<string, CleanLine>();
  for (const line of lines) {
    const other = bySource.get(line.source);
    if (!other || compareLines(line, other) < 0) bySource.set(line.source, line);
  }
  return [...bySource.values()].toSorted(compareLines);
}

/** Asked for first, then the owner's, then the newest. */
export function compareLines(first: CleanLine, second: CleanLine): number {
  return (
    Number(second.explicit) - Number(first.explicit) ||
    Number(second.trust === "owner") - Number(first.trust === "owner") ||
    compareText(second.day, first.day) ||
    second.at - first.at ||
    compareText(first.source, second.source)
  );
}

/** What was asked for or searched for before everything else. */
function bounded(lines: CleanLine[], recalled: (line: CleanLine) => boolean): CleanLine[] {
  const wanted = (line: CleanLine) => Number(line.explicit || recalled(line));
  let characters = 0;
  return lines
    .toSorted((first, second) => wanted(second) - wanted(first) || compareLines(first, second))
    .slice(0, maxLines)
    .filter(({ text }) => (characters += text.length) <= maxCharacters)
    .toSorted(compareLines);
}

function recallsBySource(signals: readonly RecallSignal[]): Map<string, Recall[]> {
  const bySource = new Map<string, Map<string, Recall>>();
  const clean = signals
    .filter(({ trust, path, score }) => isClean(trust) && isSource(path) && score > minAnswer)
    .toSorted(compareRecalls)
    .slice(0, maxRecalls);
  for (const signal of clean) {
    const source = sourceId(signal);
    const recalls = bySource.get(source) ?? new Map<string, Recall>();
    const once = `${signal.query} ${signal.day}`;
    // The best comes first.
    if (!recalls.has(once)) recalls.set(once, toRecall(signal));
    bySource.set(source, recalls);
  }
  return new Map([...bySource].map(([source, recalls]) => [source, [...recalls.values()]]));
}

function toRecall({ query, day, score }: RecallSignal): Recall {
  return { query, day, score: Number.isFinite(score) ? Math.min(1, Math.max(0, score)) : 0 };
}

function compareRecalls(first: RecallSignal, second: RecallSignal): number {
  return (
    compareText(second.day, first.day) ||
    second.score - first.score ||
    compareText(sourceId(first), sourceId(second)) ||
    compareText(first.query, second.query)
  );
}
