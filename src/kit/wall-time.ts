import { zoneFormat } from "./zone-format.ts";

/** What calendar and clock on the wall show in an IANA zone. Throws on an unknown one. */
export interface WallTime {
  /** "Sunday" */
  readonly weekday: string;
  /** YYYY-MM-DD */
  readonly day: string;
  /** HH:MM, 00:00 to 23:59 */
  readonly time: string;
}

export function wallTime(at: number, timeZone: string): WallTime {
  const parts = format(timeZone).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    parts.find((each) => each.type === type)?.value ?? "";
  return {
    weekday: part("weekday"),
    day: `${part("year")}-${part("month")}-${part("day")}`,
    time: `${part("hour")}:${part("minute")}`,
  };
}

/** "Sunday 2026-11-29 18:47": for people and models to read. */
export function localTime(at: number, timeZone: string): string {
  const { weekday, day, time } = wallTime(at, timeZone);
  return `${weekday} ${day} ${time}`;
}

const format = zoneFormat("en-CA", {
  calendar: "iso8601",
  hourCycle: "h23",
  weekday: "long",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
});
