/**
 * How long to wait before try `attempt` + 1 (attempts count from 1): exponential from 0.4 s to 30 s
 * with ±25 % jitter, never shorter than what the other side asked for. `random` lies in [0, 1).
 */
export function backoffMs(attempt: number, askedMs: number | undefined, random: number): number {
  const base = Math.min(30_000, 400 * 2 ** Math.min(attempt - 1, 10));
  const jittered = base * (0.75 + 0.5 * random);
  return Math.ceil(Math.max(jittered, askedMs ?? 0));
}

/** A number in [0, 1) from an id, so that jitter needs no source of randomness. */
export function jitterOf(id: string): number {
  let hash = 2166136261;
  for (let index = 0; index < id.length; index++) {
    hash = Math.imul(hash ^ id.charCodeAt(index), 16777619);
  }
  return (hash >>> 0) / 2 ** 32;
}
