import type { Recall } from "#contract/dreaming.ts";

/** How counts become shares of 0 to 1, the same in every formula of dreaming. */

/** Linear up to `full`, then 1. */
export function ramp(count: number, full: number): number {
  return Math.min(1, Math.max(0, count) / full);
}

/** Logarithmic: the first recalls say most; six are all there is. */
export function recallScale(recalls: number): number {
  return Math.min(1, Math.log1p(Math.max(0, recalls)) / Math.log1p(6));
}

/** Halves every `halfLife` days; 1 for today and for what a clock put into the future. */
export function decay(days: number, halfLife: number): number {
  return 0.5 ** (Math.max(0, days) / halfLife);
}

/** 0 where there are none. */
export function averageScore(recalls: readonly Recall[]): number {
  if (recalls.length === 0) return 0;
  return recalls.reduce((sum, { score }) => sum + score, 0) / recalls.length;
}
