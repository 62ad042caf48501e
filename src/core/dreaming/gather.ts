import type { CuratedFile, EvidenceLine, RecallSignal } from "#contract/dreaming.ts";
import type { ClassifiedFile } from "#contract/provenance.ts";
import { isClean } from "#contract/transcript.ts";
import type { Gathered } from "./driver.ts";
import { evidenceOf } from "./evidence.ts";
import type { EarlierFile } from "./taken-out.ts";

/**
 * What a night reads: the daily notes and transcripts of the last days, whatever recalls name, and
 * MEMORY.md. Bounded without counting what others may have made: a day has nine notes at most, transcripts are of
 * owners' own conversations, recalls of clean rows. Rejects when a file cannot be read: a night without
 * a part of its evidence would decide differently.
 */
export interface GatherPorts {
  list(): Promise<readonly { readonly path: string }[]>;
  read(path: string): Promise<ClassifiedFile | null>;
  /** What a file was since an instant, the newest first; null = at any time. Some of it. */
  earlier(path: string, since: number | null): Promise<readonly EarlierFile[]>;
  /** Recalls since a day, the latest first. */
  recalls(since: string): Promise<readonly RecallSignal[]>;
  /** Owner's day of an instant. */
  dayOf(at: number): string;
  now(): number;
}

const DAY_MS = 86_400_000;
const RECALL_DAYS = 30;
/** That have lines of the owner's or the agent's, and of all that are looked into. */
const MAX_TRANSCRIPTS = 60;
const MAX_LOOKED_INTO = 300;
const MAX_RECALLED_FILES = 40;
const PARALLEL = 6;
const MEMORY_FILE = "MEMORY.md";

export async function gatherEvidence(
  ports: GatherPorts,
  days: number,
  lastAt: number | null,
): Promise<Gathered> {
  const since = (count: number) => ports.dayOf(ports.now() - count * DAY_MS);
  const [listed, recalls] = await Promise.all([ports.list(), ports.recalls(since(RECALL_DAYS))]);
  const known = listed.map(({ path }) => path);
  const ofLastDays = (pattern: RegExp) =>
    known
      .filter((path) => (pattern.exec(path)?.[1] ?? "") >= since(days))
      .toSorted((a, b) => compare(dateOf(b), dateOf(a)) || compare(a, b));
  const transcripts = ofLastDays(transcript).slice(0, MAX_LOOKED_INTO);
  const notes = ofLastDays(dailyNote);
  const said = await linesSaid(ports, transcripts);
  const recent = new Set([...notes, ...said.paths]);
  const recalled = [...new Set(recalls.map(({ path }) => path))]
    .filter((path) => known.includes(path) && !recent.has(path))
    .slice(0, MAX_RECALLED_FILES);
  const noted = await linesOf(ports, [...notes, ...recalled]);
  const lines = [...noted, ...said.lines];
  const earlier = await ports.earlier(MEMORY_FILE, lastAt);
  return { evidence: { lines, recalls }, file: await memoryFile(ports), earlier };
}

/** Of the first transcripts that have anything clean: what others said takes nobody's place. */
async function linesSaid(ports: GatherPorts, transcripts: readonly string[]) {
  const paths: string[] = [];
  const lines: EvidenceLine[] = [];
  for (let at = 0; at < transcripts.length && paths.length < MAX_TRANSCRIPTS; at += PARALLEL) {
    const some = transcripts.slice(at, at + PARALLEL);
    const found = await Promise.all(some.map((path) => linesOf(ports, [path])));
    for (const [index, path] of some.entries()) {
      const ofPath = found[index] ?? [];
      const hasClean = ofPath.some(({ origin }) => isClean(origin.trust));
      if (!hasClean || paths.length === MAX_TRANSCRIPTS) continue;
      paths.push(path);
      lines.push(...ofPath);
    }
  }
  return { paths, lines };
}

/** The files of these sources as they are now. */
export async function gatherSources(
  ports: GatherPorts,
  sources: readonly string[],
): Promise<Gathered> {
  const paths = new Set(sources.map((source) => source.slice(0, source.lastIndexOf("#"))));
  const lines = await linesOf(ports, [...paths]);
  return { evidence: { lines, recalls: [] }, file: await memoryFile(ports) };
}

export async function memoryFile(ports: Pick<GatherPorts, "read">): Promise<CuratedFile> {
  const file = await ports.read(MEMORY_FILE);
  if (!file) return { lines: [], etag: null };
  const lines = file.lines.map(({ text, origin }) => ({ text, trust: origin.trust }));
  // The writer takes no such text.
  const isBinary = lines.some(({ text }) => text.includes("\0"));
  const unfit = file.unfit ?? (isBinary ? "it is no text" : undefined);
  return {
    lines,
    etag: file.etag,
    modifiedAt: file.modifiedAt,
    ...(unfit === undefined ? {} : { unfit }),
  };
}

async function linesOf(ports: GatherPorts, paths: readonly string[]): Promise<EvidenceLine[]> {
  const found: EvidenceLine[] = [];
  for (let at = 0; at < paths.length; at += PARALLEL) {
    const files = await Promise.all(paths.slice(at, at + PARALLEL).map((path) => ports.read(path)));
    for (const file of files)
      if (file) found.push(...evidenceOf(file, (instant) => ports.dayOf(instant)));
  }
  return found;
}

const dailyNote = /^memory\/(\d{4}-\d{2}-\d{2})(?:-[2-9])?\.md$/;
const transcript = /^sessions\/.+\/(\d{4}-\d{2}-\d{2})(?:-\d{1,4})?\.md$/;

function dateOf(path: string): string | undefined {
  return /(\d{4}-\d{2}-\d{2})[^/]*\.md$/.exec(path)?.[1];
}

function compare(a = "", b = ""): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
