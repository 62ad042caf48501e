import type { UsageRow } from "#contract/agent-port.ts";
import type { Documents } from "#contract/dream-run.ts";
import { DreamStore } from "#core/dreaming/dream-store.ts";
import type { AgentSettings } from "#platform/agent/settings.ts";
import { timers } from "#platform/timers.ts";
import { createAgentDreaming, type AgentDreaming } from "./agent-dreaming.ts";
import type { AgentFiles } from "./agent-files.ts";
import type { AgentMemory } from "./agent-memory.ts";
import { createAgentModel } from "./agent-model.ts";
import type { HandOver } from "./hand-over.ts";
import { loadRuntime } from "./runtime.ts";

/** Env → the dreaming of one agent. */
export interface DreamingParts {
  readonly agentId: string;
  readonly files: AgentFiles;
  readonly memory: AgentMemory;
  readonly handOver: HandOver;
  readonly documents: Documents;
  readonly settings: AgentSettings;
  addUsage(rows: readonly UsageRow[]): void;
  schedule(): void;
}

const HAND_OVER = { conversations: 50, parallel: 6, ms: 20_000 };

export function openDreaming(env: Env, parts: DreamingParts): AgentDreaming {
  const { runtime, registry, log } = loadRuntime(env);
  const { memory: config } = runtime.config;
  const { dreaming } = config;
  const { agentId } = parts;
  return createAgentDreaming({
    files: parts.files,
    index: parts.memory.index,
    store: new DreamStore(parts.documents),
    model: createAgentModel({
      agentId,
      registry,
      config: runtime.config,
      timers,
      log,
      name: dreaming.model,
      addUsage: (rows) => parts.addUsage(rows),
    }),
    settings: parts.settings,
    enabled: config.enabled && dreaming.enabled,
    atHour: dreaming.atHour,
    budget: dreaming.budget,
    timeZone: runtime.timeZone,
    now: Date.now,
    log,
    schedule: () => parts.schedule(),
    handOver: () => parts.handOver(HAND_OVER),
  });
}
