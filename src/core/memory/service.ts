import type { MemoryFile, MemoryFiles, Recall } from "#contract/memory-index.ts";
import type {
  Memory,
  MemoryAnswer,
  MemoryAsker,
  MemoryPlace,
  MemoryQuery,
  MemoryStatus,
  MemoryText,
} from "#contract/memory.ts";
import type { ClassifiedLine } from "#contract/provenance.ts";
import type { Now } from "#contract/ports.ts";
import { isClean, lowestTrust, type Trust } from "#contract/transcript.ts";
import { sha256Hex } from "#kit/sha256.ts";
import { errorText } from "#kit/error-text.ts";
import type { IndexKeeper } from "./keeper.ts";
import { queryTerms } from "./keywords.ts";
import { lineHash } from "./line-hash.ts";
import { recallFit } from "./recall-fit.ts";
import { search, type SearchPorts, type SearchResult } from "./search.ts";
import { sourceOf } from "./source.ts";
import { saidLines, traceLine } from "./why.ts";

/** What conversations ask of the memory, for one agent. */
export interface ServicePorts extends SearchPorts {
  readonly keeper: IndexKeeper;
  readonly files: MemoryFiles;
  readonly now: Now;
  /** The operator chose the embedder: its failure is told. */
  readonly explicitEmbedder: boolean;
  /** Why there is none although one was chosen. */
  readonly embedderNote?: string | undefined;
  /** Resolves when the work has, or after so many milliseconds with false. */
  readonly within: (work: Promise<void>, ms: number) => Promise<boolean>;
  /** Work nobody waits for. */
  readonly background: (work: Promise<void>) => void;
  /** Recalls were stored. */
  readonly onRecalled?: () => void;
}

export type MemoryService = Pick<Memory, "search" | "read" | "status">;

/** What a search waits for the index to catch up. */
const FRESHEN_MS = 1_500;
const COMPARE_EVERY_MS = 60_000;
const DEFAULT_LINES = 50;
const MAX_LINES = 400;
const MAX_CHARACTERS = 40_000;
const MAX_TRACES = 20;

export function createMemoryService(ports: ServicePorts): MemoryService {
  return {
    async search(query) {
      const behind = await freshen(ports);
      const found = await search(ports, query);
      if (query.asker.counts) ports.background(quietly(ports, recordRecalls(ports, query, found)));
      return answerOf(ports, found, behind);
    },
    read: (place) => readPlace(ports, place),
    status: () => statusOf(ports),
  };
}

async function quietly({ report }: ServicePorts, work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    report.warn("memory.recalls_lost", { error: errorText(error) });
  }
}

/** How many sources the search has to do without. */
async function freshen({ keeper, within, report }: ServicePorts): Promise<number> {
  const work = async () => {
    await keeper.compare(COMPARE_EVERY_MS);
    await keeper.sync();
  };
  const quiet = work().catch((error: unknown) => {
    report.warn("memory.freshen_failed", { error: errorText(error) });
  });
  await within(quiet, FRESHEN_MS);
  return keeper.state().waiting;
}

function answerOf(ports: ServicePorts, found: SearchResult, behind: number): MemoryAnswer {
  const notices: string[] = [];
  if (found.fault !== null && ports.explicitEmbedder) {
    const { model } = ports.vectors?.embedder ?? { model: "embedder" };
    notices.push(`Found by keywords only: ${model} failed (${found.fault}).`);
  }
  if (ports.embedderNote !== undefined) {
    notices.push(`Found by keywords only: ${ports.embedderNote}.`);
  }
  if (behind > 0) {
    notices.push(`${behind} ${behind === 1 ? "source is" : "sources are"} not indexed yet.`);
  }
  return { rows: found.rows.map(({ row }) => row), mode: found.mode, notices };
}

/** Never of outside rows, nor of places they would have taken: see SearchResult.recalled. */
async function recordRecalls(
  { index, vectors, now, today, onRecalled }: ServicePorts,
  { text, asker }: MemoryQuery,
  { recalled }: SearchResult,
): Promise<void> {
  const terms = queryTerms(text).toSorted().join(" ");
  const queryHash = sha256Hex(terms === "" ? text : terms).slice(0, 16);
  const lines = await wholeLines(index, recalled);
  const recalls = recalled.map(({ row, seed, cosine }, place): Recall => {
    const line = lines[place] ?? seed.text;
    return {
      lineHash: lineHash(line),
      path: row.path,
      queryHash,
      day: today(),
      score:
        row.score * recallFit(text, { line, cosine, floor: vectors?.embedder.fusion.floor ?? 0 }),
      rank: place + 1,
      sessionKey: asker.sessionKey,
      at: now(),
    };
  });
  await index.addRecalls(recalls);
  if (recalls.length > 0) onRecalled?.();
}

/** Pieces a line has at most on either side of the one that was found. */
const PIECES = 40;

/** The lines the passages are pieces of: evidence is counted by line. */
async function wholeLines(
  index: SearchPorts["index"],
  recalled: SearchResult["recalled"],
): Promise<string[]> {
  const spans = recalled.map(({ seed: { sourceId, position } }) => ({
    sourceId,
    first: Math.max(0, position - PIECES),
    last: position + PIECES,
  }));
  const near = await index.passages("clean", spans);
  return recalled.map(({ seed }) =>
    near
      .filter(({ sourceId, line }) => sourceId === seed.sourceId && line === seed.line)
      .toSorted((a, b) => a.position - b.position)
      .map(({ text }) => text)
      .join(""),
  );
}

async function readPlace(
  { files }: Pick<ServicePorts, "files">,
  wanted: MemoryPlace,
): Promise<MemoryText | null> {
  const { path, asker, why, newest } = wanted;
  const place = sourceOf(path);
  const file = place && (await files.read(path));
  if (!file || file.unfit !== undefined) return null;
  if (place.kind === "session" && !isWith(file, asker)) return null;
  const { first, count, shown } = linesOf(file, wanted);
  if (shown.length === 0) return null;
  const text = shown.map((line) => line.text).join("\n");
  const read = async (name: string) => {
    const other = await files.read(name);
    return other && (sourceOf(name)?.kind !== "session" || isWith(other, asker)) ? other : null;
  };
  const said = why ? saidLines(file, first, count).slice(0, MAX_TRACES) : [];
  const traces = await Promise.all(said.map((line) => traceLine({ read }, file, line)));
  return {
    path,
    from: first,
    to: first + shown.length - 1,
    total: file.lines.length,
    text: newest ? text.slice(-MAX_CHARACTERS) : text.slice(0, MAX_CHARACTERS),
    trust: trustOf(shown),
    ...(why ? { traces } : {}),
  };
}

function isWith({ conversation }: MemoryFile, { identity }: MemoryAsker): boolean {
  return identity !== null && conversation?.identity === identity;
}

function linesOf(
  file: MemoryFile,
  { from = 1, lines = DEFAULT_LINES, trustedOnly, newest }: MemoryPlace,
) {
  const start = Math.max(1, Math.min(Math.trunc(from), file.lines.length));
  const count = Math.max(1, Math.min(MAX_LINES, Math.trunc(lines)));
  const rest = file.lines.slice(start - 1);
  const there = trustedOnly ? rest.filter(isTrusted) : rest;
  const skipped = newest ? Math.max(0, there.length - count) : 0;
  return { first: start + skipped, count, shown: there.slice(skipped, skipped + count) };
}

function isTrusted({ origin }: ClassifiedLine): boolean {
  return isClean(origin.trust);
}

function trustOf(lines: readonly ClassifiedLine[]): Trust {
  const said = lines.filter(({ text }) => text.trim() !== "");
  return lowestTrust(said.map(({ origin }) => origin.trust));
}

async function statusOf({ index, keeper, vectors }: ServicePorts): Promise<MemoryStatus> {
  const { sources, passages } = await index.counts();
  return { sources, passages, embedder: vectors?.embedder.model ?? null, ...keeper.state() };
}
