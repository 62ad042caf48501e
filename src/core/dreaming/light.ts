import type { Candidate, PhaseSignal } from "#contract/dreaming.ts";
import { compareText, isWithin } from "./days.ts";

/**
 * The light phase: what the last two days brought is staged. A staged candidate leaves a signal for
 * later nights; it changes no file. Strength: what it was mentioned in (files, not lines: repeating
 * oneself proves nothing) and recalled by within those days, four of which count as all there is.
 */
const lightDays = 2;
const maxStaged = 50;
const fullStrength = 4;

export interface Staged {
  readonly candidate: Candidate;
  readonly strength: number;
}

export function lightPhase(candidates: readonly Candidate[], today: string): Staged[] {
  return candidates
    .flatMap((candidate) => {
      const strength = lightStrength(candidate, today);
      return strength > 0 ? [{ candidate, strength }] : [];
    })
    .toSorted(
      (first, second) =>
        second.strength - first.strength ||
        compareText(first.candidate.source, second.candidate.source),
    )
    .slice(0, maxStaged);
}

function lightStrength({ mentions, recalls }: Candidate, today: string): number {
  const recent = mentions.filter(({ day }) => isWithin(day, today, lightDays));
  const files = new Set(recent.map(({ source }) => source.slice(0, source.lastIndexOf("#"))));
  const recalled = recalls.filter(({ day }) => isWithin(day, today, lightDays));
  return Math.min(1, (files.size + recalled.length) / fullStrength);
}

export function lightSignals(staged: readonly Staged[], today: string): PhaseSignal[] {
  return staged.map(({ candidate, strength }) => ({
    phase: "light",
    source: candidate.source,
    day: today,
    strength,
  }));
}
