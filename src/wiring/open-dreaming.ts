import type { UsageRow } from "#contract/agent-port.ts";
import type { Documents } from "#contract/dream-run.ts";
import { DreamStore } from "#core/dreaming/dream-store.ts";
import { isOnePersons } from "#core/routing/session-key.ts";
import { describeError } from "#kit/redact.ts";
import type { SessionDirectory } from "#platform/agent/sessions.ts";
import type { AgentSettings } from "#platform/agent/settings.ts";
import { timers } from "#platform/timers.ts";
import { createAgentDreaming, type AgentDreaming } from "./agent-dreaming.ts";
import type { AgentFiles } from "./agent-files.ts";
import type { AgentMemory } from "./agent-memory.ts";
import { createAgentModel } from "./agent-model.ts";
import { inTime } from "./in-time.ts";
import { loadRuntime } from "./runtime.ts";
import { sessionStub } from "./stubs.ts";

/** Env → the dreaming of one agent. */
export interface DreamingParts {
  readonly agentId: string;
  readonly files: AgentFiles;
  readonly memory: AgentMemory;
  readonly sessions: SessionDirectory;
  readonly documents: Documents;
  readonly settings: AgentSettings;
  addUsage(rows: readonly UsageRow[]): void;
  schedule(): void;
}

/** Conversations asked for what was said in them; the most lately active. */
const HAND_OVERS = 50;
const HAND_OVER_MS = 20_000;
const PARALLEL = 6;

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
    async handOver() {
      const queue = parts.sessions
        .list(HAND_OVERS)
        .map(({ sessionKey }) => sessionKey)
        .filter(isOnePersons);
      const next = async (): Promise<void> => {
        for (let key = queue.shift(); key !== undefined; key = queue.shift()) {
          try {
            await inTime(sessionStub(env, key).handOver(), HAND_OVER_MS, "a conversation");
          } catch (error) {
            log.warn("dreaming.not_handed_over", { session: key, error: describeError(error) });
          }
        }
      };
      await Promise.all(Array.from({ length: PARALLEL }, next));
    },
  });
}
