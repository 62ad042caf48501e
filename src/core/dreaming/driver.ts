import type { CuratedFile, DreamRequest, NightEvidence } from "#contract/dreaming.ts";
import type { Log, Now } from "#contract/ports.ts";
import { sha256Hex } from "#kit/sha256.ts";
import { describeError } from "#kit/redact.ts";
import { counted } from "#kit/text/counted.ts";
import type { DreamStore, StoredNight } from "./dream-store.ts";
import { maxTextLength } from "./grounding.ts";
import { advance, beginNight, needOf } from "./night.ts";
import { type EarlierFile, statementsOf } from "./taken-out.ts";
import type { NightInput, NightMode, NightNeed, NightState, ReportAppend } from "./night-state.ts";

/**
 * Carries a night out, one step a call: does what the state needs, and stores what comes of it before
 * anything else happens. A step that was interrupted is done again; whatever it writes is written under
 * the same operation id. A step that keeps failing ends its night, which then has changed nothing it did
 * not finish, and the next one starts afresh.
 */
export interface DreamPorts {
  readonly store: DreamStore;
  readonly now: Now;
  readonly log: Log;
  /** What lies there of the last days and what recalls name, and MEMORY.md, also as it was since then. */
  evidence(days: number, since: number | null): Promise<Gathered>;
  /** The files of these sources as they are now, and MEMORY.md. */
  sources(sources: readonly string[]): Promise<Gathered>;
  /** Null: no model, or it failed. */
  ask(request: DreamRequest, operationId: string): Promise<string | null>;
  /** The file as it is instead, when it is not the one the plan was made from. */
  write(need: Extract<NightNeed, { type: "write" }>): Promise<CuratedFile | null>;
  append(report: ReportAppend): Promise<void>;
}

export interface Gathered {
  readonly evidence: NightEvidence;
  readonly file: CuratedFile;
  readonly earlier?: readonly EarlierFile[];
}

export interface DreamRequestToRun {
  readonly runId: string;
  readonly mode: NightMode;
  /** Owner's day. */
  readonly today: string;
  readonly budget: number;
  readonly model: boolean;
}

const MAX_FAILURES = 3;

/** Begins a night unless one is under way. Returns the id of the one that runs. */
export function startNight(ports: DreamPorts, request: DreamRequestToRun): string {
  const { store, now } = ports;
  const running = store.night();
  if (running) return running.state.runId;
  const state = beginNight({ ...request, now: now(), record: store.record() });
  store.transaction(() => store.keepNight({ state, failures: 0 }));
  return request.runId;
}

/** One step. `more`: call again. `failed`: call again later. Never rejects. */
export async function dreamStep(ports: DreamPorts): Promise<"done" | "more" | "failed"> {
  const { store } = ports;
  const night = store.night();
  if (!night) return "done";
  const { state } = night;
  if (state.step === "done" || night.broken !== undefined) {
    finish(ports, night);
    return "done";
  }
  try {
    const need = needOf(state);
    const input = await meet(ports, need);
    const next = advance(state, input);
    store.transaction(() => {
      keepEffects(ports, state, { need, input });
      store.keepNight({ state: next, failures: 0 });
    });
    return "more";
  } catch (error) {
    return failed(ports, night, describeError(error));
  }
}

function failed({ store, log }: DreamPorts, night: StoredNight, error: string): "failed" | "more" {
  const { state } = night;
  const failures = night.failures + 1;
  log.warn("dreaming.step_failed", { run: state.runId, step: state.step, failures, error });
  const over = failures >= MAX_FAILURES;
  const broken = over ? { broken: state.step } : {};
  store.transaction(() => store.keepNight({ state, failures, ...broken }));
  return over ? "more" : "failed";
}

async function meet(ports: DreamPorts, need: NightNeed): Promise<NightInput> {
  switch (need.type) {
    case "nothing":
      return { type: "done" };
    case "evidence":
      return { type: "evidence", ...(await ports.evidence(need.days, need.since)) };
    case "sources":
      return { type: "evidence", ...(await ports.sources(need.sources)) };
    case "model":
      return { type: "answer", text: await ports.ask(need.request, need.operationId) };
    case "write": {
      const changed = await ports.write(need);
      return changed === null ? { type: "done" } : { type: "changed", file: changed };
    }
    case "report":
      for (const report of need.appends) await ports.append(report);
      return { type: "done" };
  }
}

/** What a met need leaves besides the state; in the transaction that moves the state on. */
function keepEffects(
  { store, now }: DreamPorts,
  { runId, startedAt, plan, record }: NightState,
  { need, input }: { readonly need: NightNeed; readonly input: NightInput },
): void {
  const known = store.record();
  if (need.type === "report") {
    const { statedAt = 0 } = known;
    store.keepRecord(statedAt >= startedAt ? { ...need.record, statedAt } : need.record);
  }
  if (need.type === "write" && input.type === "done") {
    const { before, text } = need;
    store.keepImage({ runId, at: now(), before, afterHash: sha256Hex(text) });
    // A night that breaks off after this has changed it all the same, and nobody's hand has.
    const stated = statementsOf(plan?.lines ?? []);
    store.keepRecord({ ...known, stated, statedAt: now(), takenOut: record.takenOut });
  }
}

function finish({ store, now, log }: DreamPorts, { state, broken }: StoredNight): void {
  const { runId, mode, startedAt, plan, waiting } = state;
  const summary = broken === undefined ? summaryOf(state) : brokeOff(broken);
  const done = broken === undefined ? plan : null;
  store.transaction(() => {
    store.keepOutcome({
      runId,
      mode,
      startedAt,
      endedAt: now(),
      summary,
      changes: done?.changes ?? [],
      noRoom: done?.noRoom ?? [],
      waiting: waiting.map(({ candidate, failed: gates }) => ({
        text: candidate.text,
        lacks: gates.map(({ why }) => why).join("; "),
      })),
      themes: broken === undefined ? state.rem.themes.map(({ tag }) => tag) : [],
      truths: broken === undefined ? state.rem.truths.map(({ text }) => text) : [],
      diary: done?.diary ?? null,
    });
    store.keepNight(null);
  });
  log.info("dreaming.ended", { run: runId, mode, summary });
}

const SKIPPED: Readonly<Record<NonNullable<NightState["skipped"]>, string>> = {
  "too-soon": "Not dreamt: the last night was less than four hours ago.",
  "nothing-new": "Not dreamt: nothing has been said or noted since the last night.",
  "too-little-new": "Not dreamt: too little is new.",
  "file-kept-changing": "MEMORY.md was being edited all the while; nothing was changed.",
  "file-too-large":
    "Not dreamt: MEMORY.md is too large (some 300 KB are the most). It is for what belongs into every prompt; details belong in notes.",
  "file-unreadable":
    "Not dreamt: MEMORY.md is no text, or larger than 1 MB. It is left as it is until it is text again, and smaller.",
};

function brokeOff(step: NightState["step"]): string {
  return `Broke off at the step "${step}", which failed several times; the next night starts afresh.`;
}

/** One line for people. */
function summaryOf(state: NightState): string {
  if (state.skipped) return SKIPPED[state.skipped];
  const { plan, mode, waiting } = state;
  const noRoom = noRoomText(state);
  if (!plan || plan.changes.length === 0) {
    if (noRoom !== "") return `MEMORY.md was not changed.${noRoom}`;
    return `Nothing was ready for MEMORY.md (${waiting.length} candidates wait for more evidence).`;
  }
  const counts = (["added", "merged", "superseded", "retired"] as const).flatMap((type) => {
    const count = plan.changes.filter((change) => change.type === type).length;
    return count === 0 ? [] : [`${count} ${type}`];
  });
  const how = plan.mode === "model" ? "" : " (by rule, without a model)";
  const tense = mode === "dry-run" ? "Would change" : "Changed";
  return `${tense} MEMORY.md: ${counts.join(", ")}${how}.${noRoom}`;
}

function noRoomText({ plan, budget }: NightState): string {
  const count = plan?.noRoom.length ?? 0;
  if (count === 0) return "";
  return ` ${counted(count, "fact")} found no room in it (${budget} characters, ${maxTextLength} an entry).`;
}
