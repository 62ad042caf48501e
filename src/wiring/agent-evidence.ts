import type { Documents } from "#contract/dream-run.ts";
import type { MemoryIndex } from "#contract/memory-index.ts";
import type { Log } from "#contract/ports.ts";
import { DreamStore } from "#core/dreaming/dream-store.ts";
import { createEvidenceArchive, type EvidenceArchive } from "#core/memory/evidence-archive.ts";
import type { AgentSettings } from "#platform/agent/settings.ts";
import { createEvidenceStore } from "#platform/r2/evidence-store.ts";

/** The evidence of one agent's dreaming, written beside its files at most once an hour, and after a night. */
export interface AgentEvidence extends EvidenceArchive {
  /** There is something to be saved, soon enough. */
  note(): void;
  /** There is something to be saved now. */
  noteNight(): void;
  /** What the timetable calls. */
  run(): Promise<"done">;
}

const HOUR_MS = 3_600_000;
/** Searches come in bursts. */
const SOON_MS = 60_000;
const SAVED = "evidence.saved";

export interface EvidenceParts {
  readonly agentId: string;
  readonly index: MemoryIndex;
  readonly documents: Documents;
  readonly settings: AgentSettings;
  readonly log: Log;
  readonly schedule: (at: number) => void;
}

export function openEvidence(env: Env, parts: EvidenceParts): AgentEvidence {
  const { agentId, index, documents, settings, log: report, schedule } = parts;
  const dreams = new DreamStore(documents);
  const archive = createEvidenceArchive({
    store: createEvidenceStore(env.FILES, agentId),
    index,
    record: { get: () => dreams.record(), set: (record) => dreams.keepRecord(record) },
    now: Date.now,
    report,
  });
  return {
    ...archive,
    note: () => schedule(Date.now() + SOON_MS),
    noteNight() {
      settings.set(SAVED, "0");
      schedule(Date.now());
    },
    async run() {
      const next = Number(settings.get(SAVED) ?? 0) + HOUR_MS;
      // A clock that was set back must not put it off for long.
      if (next > Date.now() && next <= Date.now() + HOUR_MS) {
        schedule(next);
        return "done";
      }
      await archive.save();
      settings.set(SAVED, String(Date.now()));
      return "done";
    },
  };
}
