import type { Candidate, PhaseSignal } from "#contract/dreaming.ts";
import { conceptsOf } from "./concepts.ts";
import { compareText, isWithin } from "./days.ts";
import { averageScore, recallScale, ramp } from "./scale.ts";

/**
 * The REM phase: what the last seven days are about. Themes are concepts that several of the owner's own
 * candidates share: the agent's answers have words of their own. Candidate truths are those one comes back to
 * again and again, by
 * `0.45·average score + 0.25·log1p(recalls)/log1p(6) + 0.20·min(1, days/3) + 0.10·min(1, tags/6)`,
 * over the recalls of these days. It changes no file; its three truths leave a signal.
 */
const remDays = 7;
const remThreshold = 0.45;
const maxTruths = 3;
const maxThemes = 8;

export interface Theme {
  readonly tag: string;
  readonly candidates: number;
}

export interface Truth {
  readonly candidate: Candidate;
  readonly confidence: number;
}

export function remPhase(
  candidates: readonly Candidate[],
  today: string,
): { readonly themes: Theme[]; readonly truths: Truth[] } {
  const recent = candidates.filter(
    ({ mentions, recalls }) =>
      mentions.some(({ day }) => isWithin(day, today, remDays)) ||
      recalls.some(({ day }) => isWithin(day, today, remDays)),
  );
  return { themes: themesOf(recent), truths: truthsOf(recent, today) };
}

export function remConfidence(candidate: Candidate, today: string): number {
  const recalls = candidate.recalls.filter(({ day }) => isWithin(day, today, remDays));
  if (recalls.length === 0) return 0;
  return (
    0.45 * averageScore(recalls) +
    0.25 * recallScale(recalls.length) +
    0.2 * ramp(new Set(recalls.map(({ day }) => day)).size, 3) +
    0.1 * ramp(conceptsOf(candidate.text).length, 6)
  );
}

export function remSignals(truths: readonly Truth[], today: string): PhaseSignal[] {
  return truths.map(({ candidate, confidence }) => ({
    phase: "rem",
    source: candidate.source,
    day: today,
    strength: Math.min(1, confidence),
  }));
}

function truthsOf(candidates: readonly Candidate[], today: string): Truth[] {
  return candidates
    .map((candidate) => ({ candidate, confidence: remConfidence(candidate, today) }))
    .filter(({ confidence }) => confidence >= remThreshold)
    .toSorted(
      (first, second) =>
        second.confidence - first.confidence ||
        compareText(first.candidate.source, second.candidate.source),
    )
    .slice(0, maxTruths);
}

function themesOf(candidates: readonly Candidate[]): Theme[] {
  const counts = new Map<string, number>();
  const own = candidates.filter(({ trust }) => trust === "owner");
  for (const tag of own.flatMap(({ text }) => conceptsOf(text))) {
    counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  return [...counts]
    .map(([tag, count]) => ({ tag, candidates: count }))
    .filter((theme) => theme.candidates >= 2)
    .toSorted(
      (first, second) => second.candidates - first.candidates || compareText(first.tag, second.tag),
    )
    .slice(0, maxThemes);
}
