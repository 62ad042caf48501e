import { zoneFormat } from "#kit/zone-format.ts";

/**
 * Local time in an IANA zone by way of Intl, for the one question sessions ask: when does a given hour
 * of a given day begin there? An hour that a clock change skips begins where the gap ends; one that
 * happens twice begins the first time. No clock of its own: instants come in.
 */
export interface LocalDate {
  readonly year: number;
  /** 1–12. */
  readonly month: number;
  readonly day: number;
}

const DAY_MS = 86_400_000;

/** The date on the wall at an instant (milliseconds since the epoch). Throws on an unknown zone. */
export function localDate(instant: number, timeZone: string): LocalDate {
  const wall = new Date(wallClock(instant, timeZone));
  return { year: wall.getUTCFullYear(), month: wall.getUTCMonth() + 1, day: wall.getUTCDate() };
}

/** The instant at which `hour` (0–23) begins on a local date. `day` may overflow its month. */
export function hourBegins(date: LocalDate, hour: number, timeZone: string): number {
  const wall = Date.UTC(date.year, date.month - 1, date.day, hour);
  const offsets = [wall - DAY_MS, wall + DAY_MS].map((near) => wallClock(near, timeZone) - near);
  const candidates = offsets.map((offset) => wall - offset).sort((a, b) => a - b);
  const exact = candidates.find((instant) => wallClock(instant, timeZone) === wall);
  // In a gap the offset from before the change puts the hour just behind it.
  return exact ?? wall - (offsets[0] ?? 0);
}

/** What the clock on the wall shows, written as if it were UTC. */
function wallClock(instant: number, timeZone: string): number {
  const parts = new Map(
    formatter(timeZone)
      .formatToParts(instant)
      .map((part) => [part.type, Number(part.value)]),
  );
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const second = Date.UTC(
    of("year"),
    of("month") - 1,
    of("day"),
    of("hour"),
    of("minute"),
    of("second"),
  );
  return second + (((instant % 1000) + 1000) % 1000);
}

const formatter = zoneFormat("en-US", {
  calendar: "iso8601",
  hourCycle: "h23",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
  minute: "numeric",
  second: "numeric",
});
