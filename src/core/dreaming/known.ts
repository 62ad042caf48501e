import type { Candidate, TakenOut } from "#contract/dreaming.ts";
import { isTrivial } from "./content.ts";
import { saysTheSame, shapeOf, type Shape } from "./dedupe.ts";
import { echoes, type Saying, sayingOf } from "./echo.ts";
import type { ManagedEntry, MemoryFile } from "./memory-file.ts";
import { subjectKey } from "./supersede.ts";
import { type Gone, goneOf, wasTakenOut } from "./taken-out.ts";

/** What is known already when candidates are judged: nothing of it is promoted a second time. */
export interface Known {
  readonly entries: readonly ManagedEntry[];
  /** Everything clean that MEMORY.md says, entries included. */
  readonly shapes: readonly Shape[];
  readonly sayings: readonly Saying[];
  readonly settled: ReadonlySet<string>;
  readonly gone: readonly Gone[];
}

export function knownFrom(
  file: MemoryFile,
  settled: readonly string[],
  takenOut: readonly TakenOut[] = [],
): Known {
  const texts = [...file.entries.map(({ text }) => text), ...file.handWritten];
  return {
    entries: file.entries,
    shapes: texts.map(shapeOf),
    sayings: texts.map(sayingOf),
    settled: new Set(settled),
    gone: goneOf(takenOut),
  };
}

/**
 * The entry that this candidate replaces: the same subject, and observed later. On the same day the
 * candidate is the later one, since what the entry won over then is settled.
 */
export function replacedBy(
  candidate: Pick<Candidate, "text" | "mentions">,
  entries: readonly ManagedEntry[],
): ManagedEntry | null {
  const key = subjectKey(candidate.text);
  const day = latestDay(candidate);
  if (key === null || day === null) return null;
  return entries.find((entry) => entry.key === key && (entry.day ?? "") <= day) ?? null;
}

/** Day of the newest mention. */
export function latestDay({ mentions }: Pick<Candidate, "mentions">): string | null {
  return mentions.at(-1)?.day ?? null;
}

export function knownReason(
  candidate: Candidate,
  known: Known,
): { readonly gate: "telling" | "new"; readonly why: string } | null {
  if (isTrivial(candidate.text)) return { gate: "telling", why: "it says too little" };
  const { mentions } = candidate;
  // Where it stands tells more than that some night has seen it.
  const anchors = new Set(known.entries.flatMap(({ from }) => from));
  if (mentions.every(({ source }) => anchors.has(source))) {
    return { gate: "new", why: "it stands in MEMORY.md, in an entry made from it" };
  }
  if (isSaid(candidate, known)) return { gate: "new", why: "MEMORY.md says so already" };
  if (wasTakenOut(candidate, known.gone)) {
    return { gate: "new", why: "it was taken out of MEMORY.md, and not said again by you since" };
  }
  if (mentions.every(({ source }) => known.settled.has(source))) {
    return { gate: "new", why: "an earlier night has dealt with it" };
  }
  return olderThanEntry(candidate, known.entries)
    ? { gate: "new", why: "an entry about the same is newer" }
    : null;
}

/** Do the owner's own words say what MEMORY.md says? */
export function isConfirmed(candidate: Candidate, known: Known): boolean {
  return candidate.trust === "owner" && isSaid(candidate, known);
}

function isSaid({ text, trust }: Candidate, { shapes, sayings }: Known): boolean {
  const shape = shapeOf(text);
  if (shapes.some((other) => saysTheSame(shape, other))) return true;
  const answer = trust === "agent" ? sayingOf(text) : null;
  return answer !== null && sayings.some((told) => echoes(answer, told));
}

function olderThanEntry(candidate: Candidate, entries: readonly ManagedEntry[]): boolean {
  const key = subjectKey(candidate.text);
  if (key === null || !entries.some((entry) => entry.key === key)) return false;
  return replacedBy(candidate, entries) === null;
}
