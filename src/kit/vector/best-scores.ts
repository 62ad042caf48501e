import type { ScoredVector } from "#contract/vector-store.ts";

/** Best first; equal scores in the order of source and position, so that the same question has one answer. */
export function byScore(one: ScoredVector, other: ScoredVector): number {
  return other.score - one.score || one.sourceId - other.sourceId || one.position - other.position;
}

/** Keeps the best few of many scores, without a list of all. */
export class BestScores {
  readonly #limit: number;
  #kept: ScoredVector[] = [];
  /** Nothing below it can still get in. */
  #bar = -Infinity;

  constructor(limit: number) {
    this.#limit = Math.max(0, Math.floor(limit));
  }

  /** Cheap to ask before an object is made. */
  wants(score: number): boolean {
    return score >= this.#bar;
  }

  add(scored: ScoredVector): void {
    if (!this.wants(scored.score)) return;
    this.#kept.push(scored);
    if (this.#kept.length >= 2 * this.#limit + 16) this.#trim();
  }

  /** Best first. */
  list(): ScoredVector[] {
    this.#trim();
    return this.#kept;
  }

  #trim(): void {
    this.#kept = this.#kept.toSorted(byScore).slice(0, this.#limit);
    if (this.#kept.length === this.#limit) this.#bar = this.#kept.at(-1)?.score ?? Infinity;
  }
}
