import { thinkingLevels, type ThinkingLevel } from "#contract/model.ts";

/**
 * Maps a wished thinking level to one a model has: the level itself, else the next lower one, else the
 * lowest there is (a model that always thinks has no "off"). Not a policy: who may wish what is the
 * core's business.
 */
export function nearestLevel(
  wished: ThinkingLevel,
  supported: readonly ThinkingLevel[],
): ThinkingLevel {
  const rank = thinkingLevels.indexOf(wished);
  const lower = thinkingLevels.slice(0, rank + 1).toReversed();
  const found = lower.find((level) => supported.includes(level));
  return found ?? thinkingLevels.find((level) => supported.includes(level)) ?? "off";
}

/** Output tokens to set aside for thinking, on top of the answer's own. */
export const thinkingTokens: Readonly<Record<ThinkingLevel, number>> = {
  off: 0,
  minimal: 1024,
  low: 4096,
  medium: 8192,
  high: 16_384,
  xhigh: 32_768,
  max: 65_536,
};
