import type {
  CuratedLine,
  DreamRecord,
  EvidenceLine,
  NightEvidence,
  RecallSignal,
} from "#contract/dreaming.ts";
import { dreamRecordSchema } from "#contract/dreaming.ts";
import type { Trust } from "#contract/transcript.ts";
import { textOf } from "#core/dreaming/memory-file.ts";
import { advance, beginNight, needOf } from "#core/dreaming/night.ts";
import {
  type NightInput,
  type NightMode,
  type NightNeed,
  type NightState,
  nightStateSchema,
} from "#core/dreaming/night-state.ts";
import { lineHash } from "#core/memory/line-hash.ts";

/** A small agent whose files are in memory, and the driver that dreams for it. */
export const chat = "agent:main:web:direct:ada";
export const today = "2026-05-10";

export interface LineChange {
  readonly trust?: Trust;
  readonly day?: string;
  readonly path?: string;
  readonly session?: string | null;
  readonly waiting?: true;
  readonly recalled?: true;
  readonly at?: number;
}

export function line(text: string, change: LineChange = {}): EvidenceLine {
  const { trust = "owner", day = today, session = chat, waiting, recalled } = change;
  return {
    path: change.path ?? `memory/${day}.md`,
    hash: hashOf(text),
    text,
    origin: {
      trust,
      at: change.at ?? Date.parse(day) + 36_000_000,
      ...(session === null ? {} : { session }),
    },
    day,
    ...(waiting ? { waiting } : {}),
    ...(recalled ? { recalled } : {}),
  };
}

const hashes = new Map<string, string>();
/** Histories say the same few things again and again. */
function hashOf(text: string): string {
  const hash = hashes.get(text) ?? lineHash(text);
  hashes.set(text, hash);
  return hash;
}

export function source(text: string, day = today): string {
  return `memory/${day}.md#${lineHash(text)}`;
}

/** `count` recalls of a line, each by another query, on days that end with `lastDay`. */
export function recalls(
  of: EvidenceLine,
  count: number,
  change: { readonly score?: number; readonly trust?: Trust; readonly days?: number } = {},
): RecallSignal[] {
  const { score = 0.95, trust = "owner", days = 3 } = change;
  return Array.from({ length: count }, (_unused, index) => ({
    path: of.path,
    hash: of.hash,
    trust,
    query: `q${index}`,
    day: before(today, index % days),
    score,
  }));
}

export function before(day: string, days: number): string {
  return new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);
}

export function curated(text: string, trust: Trust = "owner"): CuratedLine[] {
  return text.split("\n").map((one) => ({ text: one, trust }));
}

export const emptyRecord: DreamRecord = dreamRecordSchema.parse({});

export interface Dreamer {
  memory: CuratedLine[];
  record: DreamRecord;
  readonly files: Map<string, string>;
  readonly needs: NightNeed[];
  runs: number;
}

export function dreamer(memory = "", trust: Trust = "owner"): Dreamer {
  return {
    memory: curated(memory, trust),
    record: emptyRecord,
    files: new Map(),
    needs: [],
    runs: 0,
  };
}

export interface NightOptions {
  readonly day?: string;
  readonly mode?: NightMode;
  readonly budget?: number;
  /** What the model answers; without it there is none. */
  readonly model?: (user: string) => string | null;
  /** Somebody's edit just before the write. */
  readonly meanwhile?: (lines: CuratedLine[]) => CuratedLine[];
  /** What stands in the notes when they are read again. */
  readonly later?: NightEvidence;
  /** Spares the way through JSON, for histories by the thousand. */
  readonly unstored?: true;
}

/** One night from beginning to end; every state goes through its schema and JSON, as if stored. */
export function dream(
  who: Dreamer,
  evidence: NightEvidence,
  options: NightOptions = {},
): NightState {
  const { day = today, mode = "night", budget = 12_000, model } = options;
  let edit = options.meanwhile;
  let state = beginNight({
    runId: `run-${(who.runs += 1)}`,
    mode,
    today: day,
    now: Date.parse(day) + 97_200_000,
    budget,
    model: model !== undefined,
    record: who.record,
  });
  for (let step = 0; step < 40 && state.step !== "done"; step++) {
    const need = needOf(state);
    who.needs.push(need);
    if (need.type === "write" && edit) {
      who.memory = edit(who.memory);
      edit = undefined;
    }
    const input = answer(who, need, { evidence, options });
    const next = advance(state, input);
    state = options.unstored ? next : nightStateSchema.parse(JSON.parse(JSON.stringify(next)));
  }
  return state;
}

function etagOf(lines: readonly CuratedLine[]): string | null {
  return lines.length === 0 ? null : lineHash(JSON.stringify(textOf(lines)));
}

function answer(
  who: Dreamer,
  need: NightNeed,
  { evidence, options }: { evidence: NightEvidence; options: NightOptions },
): NightInput {
  const file = { lines: who.memory, etag: etagOf(who.memory) };
  switch (need.type) {
    case "nothing":
      return { type: "done" };
    case "evidence":
      return { type: "evidence", evidence, file };
    case "sources":
      return { type: "evidence", evidence: options.later ?? evidence, file };
    case "model":
      return { type: "answer", text: options.model?.(need.request.user) ?? null };
    case "write":
      if (need.ifEtag !== file.etag) return { type: "changed", file };
      who.memory = [...need.lines];
      return { type: "done" };
    case "report":
      for (const { path, text } of need.appends) {
        who.files.set(path, (who.files.get(path) ?? "") + text);
      }
      who.record = need.record;
      return { type: "done" };
  }
}

export function memoryOf(who: Dreamer): string {
  return textOf(who.memory);
}
