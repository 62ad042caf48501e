/**
 * A stored time, as it counts now. One that lies further ahead than anything is ever put off was written
 * before the clock was set back: it counts as come, or what waits for it would wait for that long.
 */
export function inReach(at: number, now: number, longestMs: number): number {
  return at > now + longestMs ? now : at;
}
