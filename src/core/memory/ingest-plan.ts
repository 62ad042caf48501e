import { isClean } from "#contract/transcript.ts";
import { wallTime } from "#kit/wall-time.ts";
import { formatTranscript, type KeptLine, type StoredLine } from "./transcript-text.ts";

/**
 * Which texts of a conversation's transcript change when lines come in, and how: a line belongs to the
 * owner's day on which it was said, and is taken once by its id. Its day may have been another one when
 * it came the first time (the owner's zone has changed), so the days beside it are looked at as well. Pure.
 *
 * Clean lines and those of others fill a part each for itself: entries name their sources by file, and which
 * one a line of the owner's comes into is not for what others have written to decide. A part is with one
 * person: where several write in one conversation each finds what was said with them. So who has said nothing
 * clean that day has parts of high numbers, out of an owner's way.
 */
export interface DayPart {
  /** `2031-05-06`, then `2031-05-06-2`. */
  readonly part: string;
  readonly etag: string;
  /** As it is stored, with what cannot be read of it. */
  readonly text: string;
  readonly lines: readonly StoredLine[];
  /** It is with somebody else: what it has is known, and nothing is added. */
  readonly isOthers?: boolean;
}

export interface PartChange {
  readonly part: string;
  readonly text: string;
  readonly expected: string | null;
}

const DAY_MS = 86_400_000;
/** Of clean lines, and as much of others: a source of the memory has at most 1 MB. */
const PART_LENGTH = 400_000;
const FIRST_OF_OTHERS = 501;

export function dayOf(part: string): string {
  return part.slice(0, 10);
}

export function touchedDays(lines: readonly KeptLine[], timeZone: string): Set<string> {
  const days = new Set<string>();
  for (const { origin } of lines) {
    for (const shift of [-DAY_MS, 0, DAY_MS]) days.add(wallTime(origin.at + shift, timeZone).day);
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
    const { day } = wallTime(line.origin.at, timeZone);
    byDay.set(day, [...(byDay.get(day) ?? []), line]);
  }
  return [...byDay].flatMap(([day, fresh]) => {
    const ofDay = parts.filter(({ part }) => dayOf(part) === day);
    return changesOf(day, ofDay, fresh);
  });
}

/** In the order of parts: of a plan that is cut off what comes first is there. */
function changesOf(
  day: string,
  parts: readonly DayPart[],
  fresh: readonly KeptLine[],
): PartChange[] {
  const known = new Map(parts.map((part) => [numberOf(part.part), part]));
  const added = new Map<number, string>();
  const isCleanLine = ({ origin }: KeptLine) => isClean(origin.trust);
  const hasLow = [...known].some(([number, part]) => number < FIRST_OF_OTHERS && !part.isOthers);
  const first = hasLow || fresh.some(isCleanLine) ? 1 : FIRST_OF_OTHERS;
  const placeFor = {
    clean: placing(known, isCleanLine, 1),
    outside: placing(known, (line) => !isCleanLine(line), first),
  };
  for (const line of fresh) {
    const text = formatTranscript([line]);
    const place = isCleanLine(line) ? placeFor.clean : placeFor.outside;
    const number = place(text.length);
    added.set(number, (added.get(number) ?? "") + text);
  }
  const inOrder = [...added].toSorted(([a], [b]) => a - b);
  return inOrder.map(([number, text]) => {
    const present = known.get(number);
    if (!present) {
      return { part: number === 1 ? day : `${day}-${number}`, text, expected: null };
    }
    const base = present.text === "" || present.text.endsWith("\n") ? "" : "\n";
    return { part: present.part, text: present.text + base + text, expected: present.etag };
  });
}

/** Says into which part a line of so many characters comes: the first, from one on, that has room for its kind. */
function placing(
  known: ReadonlyMap<number, DayPart>,
  isOfKind: (line: KeptLine) => boolean,
  first: number,
): (length: number) => number {
  const lengthOf = (number: number) => {
    const { lines = [], isOthers = false } = known.get(number) ?? {};
    if (isOthers) return PART_LENGTH;
    return formatTranscript(lines.filter((line) => !("gone" in line) && isOfKind(line))).length;
  };
  let number = first;
  let length = lengthOf(first);
  return (more) => {
    while (length >= PART_LENGTH) {
      number += 1;
      length = lengthOf(number);
    }
    length += more;
    return number;
  };
}

function numberOf(part: string): number {
  return Number(part.slice(11) || "1");
}
