/**
 * Chance that can be repeated: the same seed gives the same choices. For picking boundaries, not for
 * secrets.
 */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number from 0 to `bound` - 1. */
  below(bound: number): number;
  /** `count` different items, or all if there are fewer, in random order. */
  pick<T>(items: readonly T[], count: number): T[];
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return {
    next,
    below,
    pick(items, count) {
      const rest = [...items];
      const picked = [];
      while (picked.length < count && rest.length > 0) {
        picked.push(...rest.splice(below(rest.length), 1));
      }
      return picked;
    },
  };
}
