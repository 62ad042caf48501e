import type {
  Candidate,
  CuratedFile,
  DreamRecord,
  Statement,
  TakenOut,
} from "#contract/dreaming.ts";
import { saysTheSame, shapeOf, type Shape } from "./dedupe.ts";
import { parseMemoryFile } from "./memory-file.ts";

/**
 * What somebody took out of MEMORY.md by hand: it stood there when a night wrote it or ended, or in a version
 * since, and stands there no more. A night does not put it back, whatever it is found in, until the owner says
 * it again. What nights themselves replace or retire is told apart by the time: it is gone when they have written.
 */
export interface EarlierFile {
  readonly lines: CuratedFile["lines"];
  /** Since when the file was so. */
  readonly at: number;
}

/** Longer than any entry; what is longer says more than one thing. */
const maxLength = 400;
/** Of each list; the oldest goes first. */
const maxCharacters = 40_000;

export interface Seen {
  readonly file: CuratedFile;
  readonly earlier: readonly EarlierFile[];
  /** Of the night that looks: when a file that is not there any more was last known to be. */
  readonly now: number;
}

/** Since when MEMORY.md said what the record has of it; null = nobody has looked yet. */
export function statedSince({ statedAt, lastAt }: DreamRecord): number | null {
  return statedAt ?? lastAt;
}

/** What was taken out until now. */
export function takenOutBy(record: DreamRecord, { file, earlier, now }: Seen): TakenOut[] {
  const since = statedSince(record) ?? Number.NEGATIVE_INFINITY;
  const states = [
    { at: since, said: record.stated },
    ...earlier
      .filter(({ at }) => at > since)
      .toSorted((first, second) => first.at - second.at)
      .map(({ lines, at }) => ({ at, said: statementsOf(lines) })),
  ];
  const present = statementsOf(file.lines);
  const ends = [...states.slice(1).map(({ at }) => at), file.modifiedAt ?? now];
  const gone = new Map(record.takenOut.map((each) => [each.text, each]));
  for (const [index, { said }] of states.entries()) {
    for (const { text, from } of said) gone.set(text, { text, from, at: ends[index] ?? now });
  }
  const there = new Set(present.map(({ text }) => text));
  return bounded([...gone.values()].filter(({ text }) => !there.has(text)));
}

/** What the file says in clean lines, each with what it was made from. */
export function statementsOf(lines: CuratedFile["lines"]): Statement[] {
  const { entries, handWritten } = parseMemoryFile(lines);
  return bounded([
    ...handWritten.map((text) => ({ text, from: [] })),
    ...entries.map(({ text, from }) => ({ text, from: [...from] })),
  ]);
}

function bounded<Kept extends Statement>(list: readonly Kept[]): Kept[] {
  let room = maxCharacters;
  return list
    .filter(({ text }) => text.length <= maxLength)
    .toReversed()
    .filter((each) => (room -= JSON.stringify(each).length) >= 0)
    .toReversed();
}

/** Ready to be compared with candidates. */
export interface Gone {
  readonly shape: Shape;
  readonly from: ReadonlySet<string>;
  readonly at: number;
}

export function goneOf(takenOut: readonly TakenOut[]): Gone[] {
  return takenOut.map(({ text, from, at }) => ({ shape: shapeOf(text), from: new Set(from), at }));
}

/** It says what was taken out, or that was made from it, and the owner has not said it since. */
export function wasTakenOut(
  { text, mentions }: Pick<Candidate, "text" | "mentions">,
  gone: readonly Gone[],
): boolean {
  const shape = shapeOf(text);
  return gone.some(
    (one) =>
      (saysTheSame(shape, one.shape) || mentions.some(({ source }) => one.from.has(source))) &&
      !mentions.some(({ trust, at }) => trust === "owner" && at > one.at),
  );
}
