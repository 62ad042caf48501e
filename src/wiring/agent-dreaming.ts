import type { DreamMode, Dreaming } from "#contract/dream-run.ts";
import type { MemoryIndex } from "#contract/memory-index.ts";
import type { Log, Now } from "#contract/ports.ts";
import type { DreamStore } from "#core/dreaming/dream-store.ts";
import { dreamStep, startNight } from "#core/dreaming/driver.ts";
import { describeExplanations } from "#core/dreaming/explain-text.ts";
import { explainPromotion } from "#core/dreaming/explain.ts";
import { gatherEvidence, memoryFile } from "#core/dreaming/gather.ts";
import { nightDue } from "#core/dreaming/night-due.ts";
import { gatherPorts, nightPorts, type NightParts } from "#core/dreaming/night-ports.ts";
import { statedSince } from "#core/dreaming/taken-out.ts";
import { undoNight } from "#core/dreaming/undo-night.ts";
import { noteDay } from "#core/memory/note-format.ts";
import type { AgentFiles } from "./agent-files.ts";
import type { AgentModel } from "./agent-model.ts";

/** Dreaming of one agent: the core's driver over its files, its recalls and its model. */
export interface AgentDreaming extends Dreaming {
  /** One step of the night that is under way. */
  step(): Promise<"done" | "more" | "failed">;
  /** The clock's: begins the night if its hour has come and it has not been dreamt yet. */
  tick(): void;
}

export interface AgentDreamingParts {
  readonly files: AgentFiles;
  readonly index: MemoryIndex;
  readonly store: DreamStore;
  readonly model: AgentModel;
  readonly settings: { get(name: string): string | null; set(name: string, value: string): void };
  readonly enabled: boolean;
  readonly atHour: number;
  readonly budget: number;
  readonly timeZone: string;
  readonly now: Now;
  readonly log: Log;
  /** Lets conversations hand over what was said since. Never rejects. */
  handOver(): Promise<void>;
  /** Has `step` called soon. */
  schedule(): void;
}

const MAX_OUTPUT_TOKENS = 4_000;
const LAST_NIGHT = "dream.day";

export function createAgentDreaming(parts: AgentDreamingParts): AgentDreaming {
  const { store, settings, now, timeZone } = parts;
  const gather = gatherPorts(parts);
  const ports = nightPorts({ ...parts, ask: askModel(parts.model) });
  const today = () => noteDay({ at: now(), timeZone });

  function begin(mode: DreamMode, runId: string): string {
    const { budget, model } = parts;
    const started = startNight(ports, {
      runId,
      mode,
      today: today(),
      budget,
      model: model.available(),
    });
    parts.schedule();
    return started;
  }

  return {
    step: () => dreamStep(ports),
    async start(mode, key) {
      return begin(mode, runIdOf(mode, key));
    },
    tick() {
      if (!parts.enabled || isOff(settings)) return;
      const last = settings.get(LAST_NIGHT);
      const due = nightDue({ at: now(), timeZone, atHour: parts.atHour, last });
      if (due === null) return;
      settings.set(LAST_NIGHT, due.day);
      // The first look there ever was: there has been no evening before this night.
      if (last !== null) begin("night", runIdOf("night", due.key));
    },
    async status() {
      const night = store.night();
      return {
        enabled: parts.enabled && !isOff(settings),
        running: night && { runId: night.state.runId, step: night.state.step },
        outcomes: store.outcomes(),
      };
    },
    async switch(on) {
      settings.set("dream.off", on ? "" : "1");
    },
    async explain(text) {
      const known = { record: store.record(), today: today(), now: now() };
      const gathered = await gatherEvidence(gather, 7, statedSince(known.record));
      return describeExplanations(text, explainPromotion(text, { ...gathered, ...known }));
    },
    undo: (runId, force, key) =>
      undoNight(
        {
          store,
          file: () => memoryFile(gather),
          write: (text, etag) => restore(parts, { text, etag, key }),
        },
        runId,
        force,
      ),
  };
}

function askModel(model: AgentModel): NightParts["ask"] {
  return ({ system, user }, id) =>
    model.ask({ id, system, text: user, maxOutputTokens: MAX_OUTPUT_TOKENS });
}

function runIdOf(mode: DreamMode, key: string): string {
  return `dream:${mode}:${key}`;
}

function isOff(settings: AgentDreamingParts["settings"]): boolean {
  return (settings.get("dream.off") ?? "") !== "";
}

async function restore(
  { files, now }: AgentDreamingParts,
  {
    text,
    etag,
    key,
  }: { readonly text: string; readonly etag: string | null; readonly key: string },
): Promise<string | null> {
  const result = await files.writer.apply({
    operationId: `undo:${key}`,
    path: "MEMORY.md",
    change: { type: "write", text, ifEtag: etag },
    authority: { kind: "owner" },
    // What the ledger does not know of the version that comes back is nobody's.
    author: { trust: "untrusted", at: now() },
    restores: true,
  });
  return result.ok ? null : result.reason;
}
