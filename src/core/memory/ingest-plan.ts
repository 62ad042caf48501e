import { dayAndTime, formatTranscript, type KeptLine, type StoredLine } from "./transcript-text.ts";

/**
 * Which texts of a conversation's transcript change when lines come in, and how: a line belongs to the
 * owner's day on which it was said, and is taken once by its id. Its day may have been another one when
 * it came the first time (the owner's zone has changed), so the days beside it are looked at as well. Pure.
 */
export interface DayPart {
  /** `2031-05-06`, then `2031-05-06-2`. */
  readonly part: string;
  readonly etag: string;
  /** As it is stored, with what cannot be read of it. */
  readonly text: string;
  readonly lines: readonly StoredLine[];
}

export interface PartChange {
  readonly part: string;
  readonly text: string;
  readonly expected: string | null;
}

const DAY_MS = 86_400_000;
/** A source of the memory has at most 1 MB; this leaves room for a batch. */
const PART_LENGTH = 500_000;

export function dayOf(part: string): string {
  return part.slice(0, 10);
}

export function touchedDays(lines: readonly KeptLine[], timeZone: string): Set<string> {
  const days = new Set<string>();
  for (const { origin } of lines) {
    for (const shift of [-DAY_MS, 0, DAY_MS]) days.add(dayAndTime(origin.at + shift, timeZone).day);
  }
  return days;
}

/** `parts` are all of the touched days. Nothing where nothing is new. */
export function planIngest(
  parts: readonly DayPart[],
  lines: readonly KeptLine[],
  timeZone: string,
): PartChange[] {
  const known = new Set(parts.flatMap((part) => part.lines.map(({ id }) => id)));
  const byDay = new Map<string, KeptLine[]>();
  for (const line of lines) {
    if (known.has(line.id)) continue;
    known.add(line.id);
    const { day } = dayAndTime(line.origin.at, timeZone);
    byDay.set(day, [...(byDay.get(day) ?? []), line]);
  }
  return [...byDay].map(([day, fresh]) => {
    const last = lastPart(parts.filter(({ part }) => dayOf(part) === day));
    if (last && last.text.length < PART_LENGTH) {
      const base = last.text === "" || last.text.endsWith("\n") ? last.text : `${last.text}\n`;
      return { part: last.part, text: base + formatTranscript(fresh), expected: last.etag };
    }
    const part = last ? `${day}-${numberOf(last.part) + 1}` : day;
    return { part, text: formatTranscript(fresh), expected: null };
  });
}

function lastPart(parts: readonly DayPart[]): DayPart | undefined {
  return parts.toSorted((a, b) => numberOf(a.part) - numberOf(b.part)).at(-1);
}

function numberOf(part: string): number {
  return Number(part.slice(11) || "1");
}
