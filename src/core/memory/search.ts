import type { Embedder } from "#contract/embedder.ts";
import type { MemoryIndex, Part, Scope } from "#contract/memory-index.ts";
import { memoryKinds, type MemoryQuery } from "#contract/memory.ts";
import type { Log } from "#contract/ports.ts";
import type { VectorStore } from "#contract/vector-store.ts";
import { errorText } from "#kit/error-text.ts";
import { candidatesOf, type Found } from "./candidates.ts";
import { queryTerms } from "./keywords.ts";
import { namedRows } from "./named-files.ts";
import { rank, type Ranked } from "./rank.ts";
import { fitFor } from "./recall-fit.ts";
import { asksAboutNow } from "./recency.ts";
import { mixed, rowsOf, type FoundRow } from "./rows.ts";

/**
 * A search in one agent's memory: keywords and vectors in each part, ranked by itself, then rows. The
 * clean rows are found as if there were no outside ones; those are only mixed in at the end.
 */
export interface VectorSide {
  readonly embedder: Embedder;
  readonly stores: Readonly<Record<Part, VectorStore>>;
  /** Runs work with a signal that aborts after so many milliseconds; leaves no timer behind. */
  readonly withDeadline: <T>(ms: number, work: (signal: AbortSignal) => Promise<T>) => Promise<T>;
}

export interface SearchPorts {
  readonly index: MemoryIndex;
  readonly vectors: VectorSide | null;
  /** Owner's day, YYYY-MM-DD. */
  readonly today: () => string;
  readonly report: Log;
}

export interface SearchResult {
  readonly rows: readonly FoundRow[];
  /** The clean rows there would be without any outside ones: these are what counts as recalled. */
  readonly recalled: readonly FoundRow[];
  readonly mode: "hybrid" | "keyword";
  /** The embedder's words, when it failed. */
  readonly fault: string | null;
}

export type SearchMode = "hybrid" | "keyword" | "vector";

const DEFAULT_LIMIT = 6;
const MAX_LIMIT = 20;
const DEFAULT_MIN_SCORE = 0.35;
/** What the best keyword hit has by itself: what no keyword found is measured by it, too. */
const FULL = 1;
const EMBED_MS = 2_500;
/** Characters of a question that are looked at: what was pasted behind it must not take the time of a search. */
const READ = 4_000;
/** By vectors alone, for measuring: weight of the cosine where keywords count nothing. */
const ALONE = 1;

/** Passages of both parts, ranked; the first stage of a search. */
export interface RankedParts {
  readonly clean: readonly Ranked[];
  readonly outside: readonly Ranked[];
  readonly mode: "hybrid" | "keyword";
  readonly fault: string | null;
}

export async function search(ports: SearchPorts, asked: MemoryQuery): Promise<SearchResult> {
  const query = { ...asked, text: asked.text.slice(0, READ).toWellFormed() };
  const ranked = await rankPassages(ports, query);
  const limit = Math.max(1, Math.min(MAX_LIMIT, Math.trunc(number(query.limit, DEFAULT_LIMIT))));
  const minScore = number(query.minScore, DEFAULT_MIN_SCORE);
  const explain = query.explain ?? false;
  const bestClean = Math.max(FULL, ranked.clean[0]?.score ?? 0);
  const best = { clean: bestClean, outside: Math.max(bestClean, ranked.outside[0]?.score ?? 0) };
  const rows = async (part: Part): Promise<FoundRow[]> => {
    const options = { part, limit, best: best[part], minScore, explain };
    const found = await rowsOf(ports.index, ranked[part], options);
    const named = await namedRows(ports.index, ranked[part], {
      ...options,
      text: query.text,
      scope: scopeOf(query),
    });
    const paths = new Set(named.map(({ row }) => row.path));
    return [...named, ...found.filter(({ row }) => !paths.has(row.path))].slice(0, limit);
  };
  const none: Promise<FoundRow[]> = Promise.resolve([]);
  const [clean, outside] = await Promise.all([
    rows("clean"),
    query.trustedOnly ? none : rows("outside"),
  ]);
  const { mode, fault } = ranked;
  return {
    rows: mixed(clean, outside, { limit, fit: fitTo(query.text, ports.vectors) }),
    recalled: clean,
    mode,
    fault,
  };
}

/** What is no number says nothing. */
function number(given: number | undefined, otherwise: number): number {
  return given === undefined || Number.isNaN(given) ? otherwise : given;
}

export async function rankPassages(
  ports: SearchPorts,
  query: MemoryQuery,
  wanted: SearchMode = "hybrid",
): Promise<RankedParts> {
  const { vector, fault } = await embedQuery(wanted === "keyword" ? null : ports.vectors, query);
  const terms = queryTerms(query.text);
  const question = { terms: wanted === "vector" ? [] : terms, scope: scopeOf(query), vector };
  const find = (part: Part) =>
    candidatesOf(
      { index: ports.index, store: ports.vectors?.stores[part] ?? null },
      part,
      question,
    );
  const [clean, outside] = await Promise.all([find("clean"), find("outside")]);
  const broken = faultOf(ports.report, clean, outside);
  const options = rankOptions(ports, query, { vector, wanted });
  return {
    clean: rank(clean.candidates, { ...options, best: bestKeyword(clean) }),
    outside: rank(byFit(query.text, outside), { ...options, best: 1 }),
    mode: vector === null || broken !== null ? "keyword" : "hybrid",
    fault: fault ?? broken,
  };
}

function rankOptions(
  ports: SearchPorts,
  { text, projects = [] }: MemoryQuery,
  { vector, wanted }: { readonly vector: Float32Array | null; readonly wanted: SearchMode },
) {
  const fusion = vector === null ? undefined : ports.vectors?.embedder.fusion;
  return {
    weight: wanted === "vector" ? ALONE : (fusion?.weight ?? 0),
    floor: fusion?.floor ?? 0,
    today: ports.today(),
    recent: asksAboutNow(text),
    projects,
  };
}

function bestKeyword({ candidates }: Found): number {
  return candidates.reduce((most, { keyword }) => Math.max(most, keyword), 0);
}

/** What a passage counts that has none of the words itself, but stands beside some. */
const BESIDE = 0.3;

/**
 * How rare a word is among the few outside passages says nothing about how rare it is among the clean ones,
 * so that scores of the two cannot be compared. Outside ones count by their share of the question's words.
 */
function byFit(question: string, found: Found): Found["candidates"] {
  const best = bestKeyword(found);
  const fitOf = fitFor(question);
  return found.candidates.map((candidate) => {
    if (candidate.keyword === 0) return candidate;
    const fit = fitOf({ line: candidate.passage.text, cosine: null, floor: 0 });
    return { ...candidate, keyword: Math.max(fit, (BESIDE * candidate.keyword) / best) };
  });
}

function fitTo(question: string, vectors: VectorSide | null): (row: FoundRow) => number {
  const floor = vectors?.embedder.fusion.floor ?? 0;
  const fitOf = fitFor(question);
  return ({ seed, cosine }) => fitOf({ line: seed.text, cosine, floor });
}

function scopeOf({ kinds, asker }: MemoryQuery): Scope {
  return { kinds: kinds ?? memoryKinds, identity: asker.identity };
}

async function embedQuery(
  vectors: VectorSide | null,
  query: MemoryQuery,
): Promise<{ vector: Float32Array | null; fault: string | null }> {
  if (!vectors) return { vector: null, fault: null };
  const embedded = await vectors.withDeadline(EMBED_MS, (signal) =>
    vectors.embedder.embed([query.text], "query", signal),
  );
  if (!embedded.ok) return { vector: null, fault: embedded.error };
  return { vector: embedded.value[0] ?? null, fault: null };
}

function faultOf(report: Log, ...found: readonly Found[]): string | null {
  const fault = found.map(({ vectorFault }) => vectorFault).find((value) => value !== undefined);
  if (fault === undefined) return null;
  report.warn("memory.vectors_failed", { error: errorText(fault) });
  return "the vectors cannot be searched right now";
}
