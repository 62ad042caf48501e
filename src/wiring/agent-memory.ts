import type { MemoryFiles, MemoryIndex, Part } from "#contract/memory-index.ts";
import type { PackedVectors } from "#contract/vector-store.ts";
import { createKeeper, type IndexKeeper } from "#core/memory/keeper.ts";
import { noteDay } from "#core/memory/note-format.ts";
import type { VectorSide } from "#core/memory/search.ts";
import { createMemoryService, type MemoryService } from "#core/memory/service.ts";
import { sha256Hex } from "#kit/sha256.ts";
import { errorText } from "#kit/error-text.ts";
import { createDirtyPaths } from "#platform/agent/dirty-paths.ts";
import type { AgentDatabase } from "#platform/agent/database.ts";
import { createAgentSettings } from "#platform/agent/settings.ts";
import { createVectorNotes } from "#platform/agent/vector-notes.ts";
import { createMemoryIndex } from "#platform/d1/memory-index.ts";
import { inTime } from "./in-time.ts";
import type { Registry } from "./registry.ts";
import { loadRuntime } from "./runtime.ts";

/** The memory of one agent: its index in D1, kept in step with its files by AgentDO. */
export interface AgentMemory {
  readonly service: MemoryService;
  readonly keeper: IndexKeeper;
  readonly index: MemoryIndex;
  /** The sweep's: looks for changes by other means, now and then. */
  lookAround(): void;
}

export interface AgentMemoryParts {
  readonly agentId: string;
  readonly files: MemoryFiles;
  readonly database: AgentDatabase;
  readonly schedule: (at: number) => void;
  readonly onRecalled: () => void;
}

/** A listing of the bucket costs; whoever searches looks by itself. */
const LOOK_AROUND_MS = 30 * 60_000;

export function createAgentMemory(
  env: Env,
  state: DurableObjectState,
  { agentId, files, database, schedule, onRecalled }: AgentMemoryParts,
): AgentMemory {
  const { log: report, runtime, registry } = loadRuntime(env);
  const now = () => Date.now();
  const background = (work: Promise<void>) => state.waitUntil(work);
  const index = createMemoryIndex(env.DB, agentId);
  const choice = registry.embedder();
  const vectors = openVectors(registry, database, {
    agentId,
    packed: (part) => index.vectors(part),
  });
  const dirty = createDirtyPaths(createAgentSettings(database));
  const keeper = createKeeper({ index, files, vectors, dirty, now, report, schedule });
  const service = createMemoryService({
    index,
    files,
    vectors,
    keeper,
    now,
    report,
    background,
    onRecalled,
    today: () => noteDay({ at: now(), timeZone: runtime.timeZone }),
    explicitEmbedder: choice.explicit,
    embedderNote: choice.note,
    within: async (work, ms) => {
      try {
        await inTime(work, ms, "the index");
        return true;
      } catch {
        return false;
      }
    },
  });
  return {
    service,
    keeper,
    index,
    lookAround() {
      const work = async () => {
        await keeper.compare(LOOK_AROUND_MS);
        const { waiting, comparing } = keeper.state();
        if (waiting > 0 || comparing) schedule(now());
      };
      background(
        work().catch((error: unknown) => {
          report.warn("memory.compare_failed", { error: errorText(error) });
        }),
      );
    },
  };
}

/** One store for each part, with nothing in common: see contract/memory-index.ts. */
function openVectors(
  registry: Registry,
  database: AgentDatabase,
  own: { readonly agentId: string; packed(part: Part): PackedVectors },
): VectorSide | null {
  const { embedder } = registry.embedder();
  const store = (part: Part) => {
    const namespace = shortName(part === "clean" ? own.agentId : `${own.agentId}/${part}`);
    const notes = createVectorNotes(database, `${registry.vectorStoreId() ?? "none"}-${part}`);
    return registry.vectorStore({ namespace, packed: own.packed(part), notes });
  };
  const [clean, outside] = [store("clean"), store("outside")];
  if (!embedder || !clean || !outside) return null;
  return { embedder, stores: { clean, outside }, withDeadline };
}

/** AbortSignal.timeout would keep its timer, and with it the object awake, long after the work. */
async function withDeadline<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), ms);
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}

/** A namespace has 64 bytes at most; the longest ids are told apart by their hash. */
function shortName(name: string): string {
  return name.length <= 64 ? name : sha256Hex(name);
}
