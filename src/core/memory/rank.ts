import type { StoredPassage } from "#contract/memory-index.ts";
import { recencyFactor } from "./recency.ts";

/**
 * Joins what keywords and vectors say about the passages of one part. Keyword scores are divided by the
 * best one and cosines added with a weight of the embedder's, so that a poor embedder cannot displace a
 * good keyword hit. Then context: a little of its neighbours' scores, and a share of the best one of its
 * source. All of it is computed within one part: outside passages have no say in how clean ones rank.
 */
export interface Candidate {
  readonly passage: StoredPassage;
  /** 0 = no term occurs. */
  readonly keyword: number;
  /** Null = it has no vector, or there are none. */
  readonly cosine: number | null;
}

export interface RankOptions {
  /** Keyword score that counts 1. */
  readonly best: number;
  /** Weight and floor of the cosine; weight 0 = keywords only. */
  readonly weight: number;
  readonly floor: number;
  readonly today: string;
  /** The question is about what is recent. */
  readonly recent: boolean;
  readonly projects: readonly string[];
}

export interface Ranked {
  readonly passage: StoredPassage;
  readonly score: number;
  /** Null = not known. */
  readonly cosine: number | null;
  readonly signals: Readonly<Record<string, number>>;
}

const NEIGHBOUR = 0.1;
const REACH = 2;
const SOURCE = 0.25;
const SUPERSEDED = 0.5;
const ACTIVE_PROJECT = 1.15;

export function placeOf(passage: { sourceId: number; position: number }): string {
  return `${passage.sourceId}:${passage.position}`;
}

/** Best first; ties in the order of path and position, so that the same question has one answer. */
export function rank(candidates: readonly Candidate[], options: RankOptions): Ranked[] {
  const base = new Map<string, number>();
  const bySource = new Map<number, number>();
  for (const candidate of candidates) {
    const score = baseScore(candidate, options);
    const { sourceId } = candidate.passage;
    base.set(placeOf(candidate.passage), score);
    bySource.set(sourceId, Math.max(bySource.get(sourceId) ?? 0, score));
  }
  const ranked = candidates.map((candidate): Ranked => {
    const { passage } = candidate;
    const own = base.get(placeOf(passage)) ?? 0;
    const neighbours = NEIGHBOUR * neighbourSum(base, passage);
    const source = SOURCE * (bySource.get(passage.sourceId) ?? 0);
    const factors = factorsOf(passage, options);
    const product = Object.values(factors).reduce((all, factor) => all * factor, 1);
    return {
      passage,
      cosine: candidate.cosine,
      score: (own + neighbours + source) * product,
      signals: {
        keyword: own - vectorScore(candidate, options),
        vector: vectorScore(candidate, options),
        neighbours,
        source,
        ...factors,
      },
    };
  });
  return ranked.sort(compare);
}

function baseScore(candidate: Candidate, options: RankOptions): number {
  const keyword = options.best > 0 ? candidate.keyword / options.best : 0;
  return keyword + vectorScore(candidate, options);
}

function vectorScore({ cosine }: Candidate, { weight, floor }: RankOptions): number {
  return cosine === null || weight === 0 ? 0 : weight * Math.max(0, cosine - floor);
}

function neighbourSum(base: ReadonlyMap<string, number>, passage: StoredPassage): number {
  const { sourceId, position } = passage;
  let sum = 0;
  for (let step = 1; step <= REACH; step += 1) {
    sum += base.get(placeOf({ sourceId, position: position - step })) ?? 0;
    sum += base.get(placeOf({ sourceId, position: position + step })) ?? 0;
  }
  return sum;
}

function factorsOf(passage: StoredPassage, options: RankOptions): Record<string, number> {
  const { kind, date, importance, projects, superseded } = passage;
  const active = projects.length > 0 && projects.every((key) => options.projects.includes(key));
  return {
    recency: kind === "curated" ? 1 : recencyFactor(date, options.today, options.recent),
    importance: importance === null ? 1 : 0.8 + 0.04 * importance,
    ...(active ? { project: ACTIVE_PROJECT } : {}),
    ...(superseded ? { superseded: SUPERSEDED } : {}),
  };
}

function compare(a: Ranked, b: Ranked): number {
  if (a.score !== b.score) return b.score - a.score;
  if (a.passage.path !== b.passage.path) return a.passage.path < b.passage.path ? -1 : 1;
  return a.passage.position - b.passage.position;
}
