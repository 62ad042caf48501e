import type { Candidate, PhaseSignal } from "#contract/dreaming.ts";
import { conceptsOf } from "./concepts.ts";
import { compareText, daysBefore, isWithin } from "./days.ts";
import { isConfirmed, type Known, knownReason, replacedBy } from "./known.ts";
import { counted } from "#kit/text/counted.ts";
import { subjectKey } from "./supersede.ts";
import { averageScore, decay, ramp, recallScale } from "./scale.ts";

/**
 * The deep phase: which candidates are ready for MEMORY.md, by code alone. Parts of the score, each
 * scaled to 0–1 and then weighted:
 * - relevance 0.30: mean score of its recalls
 * - frequency 0.24: log1p(recalls)/log1p(6), at most 1
 * - diversity 0.15: distinct queries / 5, at most 1
 * - recency 0.15: halves every 14 days since it was last recalled or said
 * - consolidation 0.10: distinct days on which it was recalled or said / 3, at most 1
 * - concepts 0.06: tags / 6, at most 1
 * - light 0.06, rem 0.09: strongest signal that phase left within 14 days
 * All gates must hold. The owner's explicit "remember" is evidence enough: score, recalls and queries
 * are not asked then. So is an owner's own sentence that contradicts an entry of ours ("I moved to …"):
 * keeping what has become wrong is worse than believing the owner at once.
 */
export const weights = {
  relevance: 0.3,
  frequency: 0.24,
  diversity: 0.15,
  recency: 0.15,
  consolidation: 0.1,
  concepts: 0.06,
  light: 0.06,
  rem: 0.09,
} as const;
export type Part = keyof typeof weights;

export const minScore = 0.75;
const minRecalls = 3;
const minQueries = 3;
/** Candidates of one night; the rest waits. */
const maxPromoted = 20;
const halfLife = 14;
const signalDays = 14;

export const gates = ["telling", "new", "score", "recalls", "queries"] as const;
export type Gate = (typeof gates)[number];

export interface Judged {
  readonly candidate: Candidate;
  /** 0 to 1 each. */
  readonly parts: Readonly<Record<Part, number>>;
  readonly score: number;
  /** `evidence`: by its score; the others are the documented ways around it. */
  readonly path: "evidence" | "asked" | "correction";
  /** Gates it does not pass, and why in words. */
  readonly failed: readonly { readonly gate: Gate; readonly why: string }[];
}

export interface DeepContext {
  readonly today: string;
  readonly signals: readonly PhaseSignal[];
  readonly known: Known;
  /** Subjects of candidates that are ready. */
  readonly subjects?: ReadonlySet<string>;
}

export function judge(candidate: Candidate, context: DeepContext): Judged {
  const parts = partsOf(candidate, context);
  const score = (Object.keys(weights) as Part[]).reduce(
    (sum, part) => sum + weights[part] * parts[part],
    0,
  );
  const path = pathOf(candidate, context);
  return { candidate, parts, score, path, failed: failures(candidate, score, path, context) };
}

export interface DeepResult {
  /** Best first. */
  readonly ready: readonly Judged[];
  /** Recalled, but not ready; what is known already waits for nothing. */
  readonly waiting: readonly Judged[];
  /** More are ready than one night takes. */
  readonly more: boolean;
  /** Sources that say the older thing about a subject of which something newer is ready, or stands in the file. */
  readonly outdated: readonly string[];
}

export function deepPhase(candidates: readonly Candidate[], context: DeepContext): DeepResult {
  const first = candidates.map((candidate) => judge(candidate, context));
  // An owner's later word about the same counts beside what is ready, too.
  const subjects = new Set(first.filter(isReady).flatMap(({ candidate }) => keyOf(candidate)));
  const judged = first
    .map((one) => (isReady(one) ? one : judge(one.candidate, { ...context, subjects })))
    .toSorted(compareJudged);
  const passed = judged.filter(isReady);
  // What the owner went back to the same day stands in the file already, and is the last word all the same.
  const keyed = judged.filter(({ candidate }) => keyOf(candidate).length > 0);
  const confirmed = keyed
    .filter(({ candidate }) => isConfirmed(candidate, context.known))
    .map(bySayingOfOwner);
  const ready = passed.filter(
    (one) => ![...passed, ...confirmed].some((other) => isNewer(other, one)),
  );
  const taken = ready.slice(0, maxPromoted);
  return {
    ready: taken,
    waiting: judged.filter(
      (one) => !isReady(one) && !isKnown(one) && one.candidate.recalls.length > 0,
    ),
    more: ready.length > maxPromoted,
    outdated: keyed
      .filter((one) => [...taken, ...confirmed].some((other) => isNewer(other, one)))
      .flatMap(({ candidate }) => candidate.mentions.map(({ source }) => source)),
  };
}

/** Only the owner's own saying so makes it the last word: an agent may repeat what the file says. */
function bySayingOfOwner(judged: Judged): Judged {
  const { candidate } = judged;
  const mentions = candidate.mentions.filter(({ trust }) => trust === "owner");
  return { ...judged, candidate: { ...candidate, mentions } };
}

function isReady({ failed }: Judged): boolean {
  return failed.length === 0;
}

function isKnown({ failed }: Judged): boolean {
  return failed.some(({ gate }) => gate === "new");
}

function keyOf({ text }: Candidate): string[] {
  const key = subjectKey(text);
  return key === null ? [] : [key];
}

/** Does `first` say something newer about the same? */
function isNewer(first: Judged, second: Judged): boolean {
  if (first === second) return false;
  const key = subjectKey(first.candidate.text);
  if (key === null || key !== subjectKey(second.candidate.text)) return false;
  const [one, two] = [first.candidate.mentions.at(-1), second.candidate.mentions.at(-1)];
  if (!one || !two) return false;
  const order =
    compareText(one.day, two.day) || one.at - two.at || compareText(one.source, two.source);
  return order > 0;
}

const pathOrder = { asked: 0, correction: 1, evidence: 2 };

function compareJudged(first: Judged, second: Judged): number {
  return (
    pathOrder[first.path] - pathOrder[second.path] ||
    second.score - first.score ||
    compareText(first.candidate.source, second.candidate.source)
  );
}

function partsOf(candidate: Candidate, context: DeepContext): Record<Part, number> {
  const { recalls, mentions } = candidate;
  const days = [...recalls, ...mentions].map(({ day }) => day);
  const ages = days.flatMap((day) => daysBefore(day, context.today) ?? []);
  return {
    relevance: averageScore(recalls),
    frequency: recallScale(recalls.length),
    diversity: ramp(new Set(recalls.map(({ query }) => query)).size, 5),
    recency: ages.length === 0 ? 0 : decay(Math.min(...ages), halfLife),
    consolidation: ramp(new Set(days).size, 3),
    concepts: ramp(conceptsOf(candidate.text).length, 6),
    light: strongest(candidate, context, "light"),
    rem: strongest(candidate, context, "rem"),
  };
}

function strongest(
  { mentions }: Candidate,
  { signals, today }: DeepContext,
  phase: PhaseSignal["phase"],
): number {
  const sources = new Set(mentions.map(({ source }) => source));
  const strengths = signals
    .filter((signal) => signal.phase === phase && sources.has(signal.source))
    .filter(({ day }) => isWithin(day, today, signalDays))
    .map(({ strength }) => Math.min(1, Math.max(0, strength)));
  return Math.max(0, ...strengths);
}

function pathOf(candidate: Candidate, { known, subjects }: DeepContext): Judged["path"] {
  if (candidate.trust !== "owner") return "evidence";
  if (candidate.explicit) return "asked";
  const contested = keyOf(candidate).some((key) => subjects?.has(key));
  return contested || replacedBy(candidate, known.entries) ? "correction" : "evidence";
}

function failures(
  candidate: Candidate,
  score: number,
  path: Judged["path"],
  { known }: DeepContext,
): Judged["failed"] {
  const why: Partial<Record<Gate, string>> = {};
  const reason = knownReason(candidate, known);
  if (reason) why[reason.gate] = reason.why;
  if (path === "evidence") {
    const queries = new Set(candidate.recalls.map(({ query }) => query)).size;
    if (score < minScore) why.score = `score ${score.toFixed(2)} is below ${minScore}`;
    if (candidate.recalls.length < minRecalls) {
      why.recalls = `recalled ${counted(candidate.recalls.length, "time")}, ${minRecalls} are needed`;
    }
    if (queries < minQueries)
      why.queries = `by ${counted(queries, "different query", "different queries")}, ${minQueries} are needed`;
  }
  return gates.flatMap((gate) => {
    const text = why[gate];
    return text === undefined ? [] : [{ gate, why: text }];
  });
}
