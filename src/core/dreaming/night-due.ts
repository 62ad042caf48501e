import { wallTime } from "#kit/wall-time.ts";

/**
 * Whether the clock calls for a night: once a day of the owner's, from an hour on. A day may come twice, where the
 * clock was set back or the owner moved west; its second night is another one, since what is written under the
 * id of the first counts as written.
 */
export interface NightClock {
  readonly at: number;
  readonly timeZone: string;
  readonly atHour: number;
  /** Day of the last one; null = there was none. */
  readonly last: string | null;
}

export function nightDue({ at, timeZone, atHour, last }: NightClock): {
  readonly day: string;
  readonly key: string;
} | null {
  const { day, time } = wallTime(at, timeZone);
  if (last === day || Number(time.slice(0, 2)) < atHour) return null;
  return { day, key: `${day}:${at}` };
}
