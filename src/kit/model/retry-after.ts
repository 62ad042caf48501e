/**
 * How long a provider asks us to wait, from the headers of a failed answer. Reads `retry-after-ms`,
 * `retry-after` (seconds or an HTTP date) and `x-ratelimit-reset` with its OpenAI relatives (seconds,
 * "6m12s", epoch seconds or epoch milliseconds). It decides nothing: whether to retry is the core's
 * business. A value nobody can read is the same as none.
 */
const epochSecondsFrom = 1_000_000_000;
const epochMillisecondsFrom = 1_000_000_000_000;
const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Milliseconds from `now`, never negative; undefined when nothing readable was said. */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const waits = [
    numberOf(headers.get("retry-after-ms")),
    fromRetryAfter(headers.get("retry-after"), now),
    fromReset(headers.get("x-ratelimit-reset"), now),
    exhausted(headers, "requests", now),
    exhausted(headers, "tokens", now),
  ];
  const wait = waits.find((value) => value !== undefined);
  return wait === undefined ? undefined : Math.max(0, Math.ceil(wait));
}

function fromRetryAfter(text: string | null, now: number): number | undefined {
  const seconds = numberOf(text);
  if (seconds !== undefined) return seconds * 1000;
  return fromDate(text, now);
}

function fromReset(text: string | null, now: number): number | undefined {
  const value = numberOf(text);
  if (value === undefined) return fromDuration(text) ?? fromDate(text, now);
  if (value >= epochMillisecondsFrom) return value - now;
  if (value >= epochSecondsFrom) return value * 1000 - now;
  return value * 1000;
}

/** OpenAI sends both kinds with every answer; only the one that is used up says how long to wait. */
function exhausted(headers: Headers, kind: string, now: number): number | undefined {
  const remaining = numberOf(headers.get(`x-ratelimit-remaining-${kind}`));
  if (remaining === undefined || remaining > 0) return undefined;
  return fromReset(headers.get(`x-ratelimit-reset-${kind}`), now);
}

function numberOf(text: string | null): number | undefined {
  return text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

function fromDate(text: string | null, now: number): number | undefined {
  // Date.parse reads "-5" as a year; a date worth the name has a letter or a dash between digits.
  if (text === null || !/[A-Za-z]|\d-\d/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at - now;
}

function fromDuration(text: string | null): number | undefined {
  if (text === null || !/^\s*(\d+(\.\d+)?(ms|[smhd]))+\s*$/.test(text)) return undefined;
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g);
  return [...parts].reduce((sum, [, value, unit]) => sum + Number(value) * (unitMs[unit!] ?? 0), 0);
}
