import type { MemoryRow } from "#contract/memory.ts";
import type { ClassifiedFile } from "#contract/provenance.ts";
import type { LinePlace, MemoryTrace } from "#contract/upkeep.ts";
import { anchorsOf, findLine } from "./anchors.ts";
import { carriesFact, factText } from "./fact-line.ts";
import { nearness } from "./near-lines.ts";

/**
 * "Why do you know this?" Each line that is near, and where it is from: an entry leads by its anchors to
 * lines of notes and transcripts, a note to the words below it, and every line to its conversation and
 * time. All of it from the files and the ledger; no model.
 */
export interface WhyPorts {
  search(text: string, limit: number): Promise<readonly MemoryRow[]>;
  /** Null also where it may not be read. */
  read(path: string): Promise<ClassifiedFile | null>;
}

const MAX_TRACES = 5;
const ROWS = 8;
const MAX_SOURCES = 8;

export async function whyKnown(ports: WhyPorts, text: string): Promise<MemoryTrace[]> {
  const near = nearness(text);
  const found: { trace: MemoryTrace; share: number }[] = [];
  for (const row of await ports.search(text, ROWS)) {
    const file = await ports.read(row.path);
    if (!file) continue;
    const lines = saidLines(file, row.from, row.to - row.from + 1);
    const best = Math.max(0, ...lines.map((line) => near(textAt(file, line))));
    // Found by meaning alone: then the row as a whole was near, and its first line stands for it.
    const chosen = lines.filter((line) => best > 0 && near(textAt(file, line)) === best);
    for (const line of chosen.length > 0 ? chosen : lines.slice(0, 1)) {
      if (found.some(({ trace }) => trace.path === file.path && trace.line === line)) continue;
      found.push({ trace: await traceLine(ports, file, line), share: best });
    }
  }
  const isCurated = ({ path }: MemoryTrace) => (path.includes("/") ? 0 : 1);
  return found
    .toSorted((a, b) => b.share - a.share || isCurated(b.trace) - isCurated(a.trace))
    .slice(0, MAX_TRACES)
    .map(({ trace }) => trace);
}

/** `line` counts from 1. */
export async function traceLine(
  ports: Pick<WhyPorts, "read">,
  file: ClassifiedFile,
  line: number,
): Promise<MemoryTrace> {
  const raw = file.lines[line - 1]?.text ?? "";
  const from: LinePlace[] = [];
  for (const { path, hash } of anchorsOf(raw).slice(0, MAX_SOURCES)) {
    const source = await ports.read(path);
    const at = source ? findLine(source, hash) + 1 : 0;
    if (!source || at === 0) from.push({ path, ...gone });
    else from.push(placeOf(source, at), ...wordsBelow(source, at));
  }
  return { ...placeOf(file, line), from: [...from, ...wordsBelow(file, line)] };
}

const gone = { line: null, text: null, trust: "untrusted", at: null, session: null } as const;

function placeOf(file: ClassifiedFile, line: number): LinePlace {
  const known = file.lines[line - 1];
  const { trust, at, session } = known?.origin ?? { trust: "untrusted" as const, at: 0 };
  return {
    path: file.path,
    line,
    text: textAt(file, line),
    trust,
    at: at > 0 ? at : null,
    session: session ?? file.conversation?.sessionKey ?? null,
    ...(known?.waiting ? { waiting: true } : {}),
  };
}

/** The owner's own words, copied below an entry of a note. */
function wordsBelow(file: ClassifiedFile, line: number): LinePlace[] {
  const words: LinePlace[] = [];
  for (let next = line + 1; file.lines[next - 1]?.text.startsWith("  > "); next += 1) {
    words.push(placeOf(file, next));
  }
  return words;
}

function textAt(file: ClassifiedFile, line: number): string {
  return factText(file.lines[line - 1]?.text ?? "");
}

/** Those of the lines that say something, by their numbers. */
export function saidLines({ lines }: ClassifiedFile, from: number, count: number): number[] {
  const numbers = Array.from({ length: Math.max(0, count) }, (_each, index) => from + index);
  return numbers.filter((line) => carriesFact(lines[line - 1]?.text ?? ""));
}
