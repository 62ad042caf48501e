import type { CuratedFile, DreamRecord, NightEvidence } from "#contract/dreaming.ts";
import { jsonBytes } from "#kit/text/json-bytes.ts";
import { acceptAnswer } from "./accept.ts";
import { planAppendOnly } from "./append-only.ts";
import { groupCandidates } from "./dedupe.ts";
import { deepPhase, type Judged } from "./deep.ts";
import { cleanEvidence, cleanLines } from "./evidence.ts";
import { knownFrom } from "./known.ts";
import { lightPhase, lightSignals } from "./light.ts";
import { parseMemoryFile, textOf } from "./memory-file.ts";
import type { NightInput, NightMode, NightNeed, NightState, NightStep } from "./night-state.ts";
import { noveltyOf, seenIds } from "./novelty.ts";
import { dreamRequest } from "./prompt.ts";
import { keptRecord } from "./record.ts";
import { remPhase, remSignals } from "./rem.ts";
import { reportAppends } from "./report.ts";
import { type EarlierFile, statedSince, takenOutBy } from "./taken-out.ts";

/**
 * One run of dreaming: gather → light → rem → deep → recheck → model → accept → write → report → done.
 * `needOf` says what a state waits for, `advance` takes what came of it; both are pure, so the driver
 * stores the state after every step and repeats an interrupted one under the same operation id. MEMORY.md
 * is written only over the version the plan was made from; where it has changed meanwhile, the plan is
 * made anew by rule. A dry run ends before the write.
 */
const minHoursBetweenRuns = 4;
const evidenceDays = 7;
const maxWrites = 3;
const maxWaiting = 20;
/** Of MEMORY.md as JSON: once beside all candidates, or twice without them, it has to fit into a row. */
const maxFileBytes = 350_000;

export interface NightStart {
  readonly runId: string;
  readonly mode: NightMode;
  readonly today: string;
  readonly now: number;
  readonly budget: number;
  readonly model: boolean;
  readonly record: DreamRecord;
}

export function beginNight(start: NightStart): NightState {
  const { runId, mode, today, now, budget, model, record } = start;
  const since = record.lastAt === null ? Number.POSITIVE_INFINITY : now - record.lastAt;
  // A clock that was set back must not stop dreaming for good.
  const tooSoon = mode === "night" && since >= 0 && since < minHoursBetweenRuns * 3_600_000;
  return {
    version: 1,
    runId,
    mode,
    today,
    startedAt: now,
    budget,
    model,
    record,
    step: tooSoon ? "done" : "gather",
    skipped: tooSoon ? "too-soon" : null,
    seen: [],
    candidates: [],
    signals: [],
    light: [],
    rem: { themes: [], truths: [] },
    ready: [],
    waiting: [],
    outdated: [],
    more: false,
    file: { lines: [], etag: null },
    answer: null,
    refused: null,
    plan: null,
    writes: 0,
  };
}

export function needOf(state: NightState): NightNeed {
  switch (state.step) {
    case "gather":
      return { type: "evidence", days: evidenceDays, since: statedSince(state.record) };
    case "recheck":
      return { type: "sources", sources: state.ready.flatMap(mentioned) };
    case "model":
      return state.model
        ? { type: "model", request: requestOf(state), operationId: `${state.runId}:model` }
        : { type: "nothing" };
    case "write":
      return writeNeed(state);
    case "report":
      return { type: "report", appends: reportAppends(state), record: keptRecord(state) };
    case "light":
    case "rem":
    case "deep":
    case "accept":
    case "done":
      return { type: "nothing" };
  }
}

/** The state after its need was met. What is not an answer to that need is a bug of the driver's. */
export function advance(state: NightState, input: NightInput): NightState {
  switch (state.step) {
    case "gather":
      return gather(state, evidenceIn(state, input));
    case "light":
      return light(state);
    case "rem":
      return rem(state);
    case "deep":
      return deep(state);
    case "recheck":
      return recheck(state, evidenceIn(state, input));
    case "model":
      return { ...state, step: "accept", answer: input.type === "answer" ? input.text : null };
    case "accept":
      return accept(state);
    case "write":
      return input.type === "changed" ? replan(state, input.file) : to(state, "report");
    case "report":
      return to(state, "done");
    case "done":
      return state;
  }
}

function to(state: NightState, step: NightStep): NightState {
  return { ...state, step };
}

function evidenceIn(state: NightState, input: NightInput) {
  if (input.type !== "evidence") throw new RangeError(`step ${state.step} needs evidence`);
  return input;
}

interface Gathered {
  readonly evidence: NightEvidence;
  readonly file: CuratedFile;
  readonly earlier?: readonly EarlierFile[];
}

function gather(state: NightState, { evidence, file, earlier = [] }: Gathered): NightState {
  if (file.unfit !== undefined) return { ...state, step: "done", skipped: "file-unreadable" };
  if (jsonBytes(file.lines) > maxFileBytes) {
    return { ...state, step: "done", skipped: "file-too-large" };
  }
  const clean = cleanEvidence(evidence);
  const novelty = noveltyOf(clean, state.record, parseMemoryFile(file.lines));
  const skipped = skipReason(state, novelty);
  if (skipped !== null) return { ...state, step: "done", skipped };
  const takenOut = takenOutBy(state.record, { file, earlier, now: state.startedAt });
  return {
    ...state,
    step: "light",
    // What the file said before is compared now, and said anew at the end.
    record: { ...state.record, stated: [], takenOut },
    file,
    seen: seenIds(clean),
    candidates: groupCandidates(clean),
  };
}

function skipReason(
  { mode, record }: NightState,
  novelty: "none" | "little" | "enough",
): NightState["skipped"] {
  if (mode === "dry-run" || record.pending || novelty === "enough") return null;
  if (novelty === "none") return "nothing-new";
  return mode === "manual" ? null : "too-little-new";
}

function light(state: NightState): NightState {
  const staged = lightPhase(state.candidates, state.today);
  return {
    ...state,
    step: "rem",
    signals: lightSignals(staged, state.today),
    light: staged.map(({ candidate, strength }) => ({ ...shown(candidate), strength })),
  };
}

function rem(state: NightState): NightState {
  const { themes, truths } = remPhase(state.candidates, state.today);
  return {
    ...state,
    step: "deep",
    signals: [...state.signals, ...remSignals(truths, state.today)],
    rem: {
      themes,
      truths: truths.map(({ candidate, confidence }) => ({ ...shown(candidate), confidence })),
    },
  };
}

function shown({ text, source }: { text: string; source: string }) {
  return { text, source };
}

function deep(state: NightState): NightState {
  const { record } = state;
  const result = deepPhase(state.candidates, {
    today: state.today,
    signals: [...record.signals, ...state.signals],
    known: knownFrom(parseMemoryFile(state.file.lines), record.settled, record.takenOut),
  });
  return {
    ...state,
    step: result.ready.length > 0 ? "recheck" : afterPlan(state, 0),
    candidates: [],
    ready: result.ready.map(copied),
    waiting: result.waiting.slice(0, maxWaiting).map(copied),
    outdated: [...result.outdated],
    more: result.more,
  };
}

function copied(judged: Judged): NightState["ready"][number] {
  return { ...judged, failed: [...judged.failed] };
}

/** Only what still stands in its note, in a clean line, may be promoted; and over MEMORY.md as it is now. */
function recheck(state: NightState, { evidence, file }: Gathered): NightState {
  const there = new Set(cleanLines(evidence.lines).map(({ source }) => source));
  const ready = state.ready
    .filter(({ candidate }) => there.has(candidate.source))
    .map((judged) => ({
      ...judged,
      candidate: {
        ...judged.candidate,
        mentions: judged.candidate.mentions.filter(({ source }) => there.has(source)),
      },
    }));
  if (ready.length > 0) return { ...state, step: "model", ready, file };
  // What is gone has won over nothing.
  return { ...state, step: afterPlan(state, 0), ready, outdated: [], file };
}

function requestOf({ file, ready, budget }: NightState) {
  return dreamRequest(parseMemoryFile(file.lines), ready, budget);
}

function accept(state: NightState): NightState {
  const { answer, file, ready, budget } = state;
  const accepted =
    answer === null ? null : acceptAnswer(answer, { lines: file.lines, ready, budget });
  const plan = accepted?.ok ? accepted.value : planAppendOnly(file.lines, ready, budget);
  const refused = accepted === null || accepted.ok ? null : accepted.error;
  return { ...state, plan, refused, step: afterPlan(state, plan.changes.length) };
}

/** What is only tried out leaves nothing, not even a report or what has been seen. */
function afterPlan({ mode }: NightState, changes: number): NightStep {
  if (mode === "dry-run") return "done";
  return changes > 0 ? "write" : "report";
}

function writeNeed({ plan, file, runId, writes }: NightState): NightNeed {
  if (plan === null) return { type: "nothing" };
  return {
    type: "write",
    path: "MEMORY.md",
    text: textOf(plan.lines),
    lines: plan.lines,
    ifEtag: file.etag,
    operationId: `${runId}:write:${writes}`,
    before: file.etag === null ? null : textOf(file.lines),
  };
}

/** Somebody else was quicker, unless what stands there is what this run wrote. */
function replan(state: NightState, file: CuratedFile): NightState {
  if (state.plan !== null && textOf(file.lines) === textOf(state.plan.lines)) {
    return to(state, "report");
  }
  if (state.writes + 1 >= maxWrites) {
    return { ...state, step: "done", skipped: "file-kept-changing", plan: null };
  }
  const plan = planAppendOnly(file.lines, state.ready, state.budget);
  const refused = "MEMORY.md changed meanwhile";
  const step = plan.changes.length > 0 ? "write" : "report";
  return { ...state, file, plan, refused, step, writes: state.writes + 1 };
}

function mentioned({ candidate }: Judged): string[] {
  return candidate.mentions.map(({ source }) => source);
}
