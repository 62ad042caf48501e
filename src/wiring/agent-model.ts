import type { UsageRow } from "#contract/agent-port.ts";
import type { Config } from "#contract/config.ts";
import type { Log } from "#contract/ports.ts";
import type { ResolvedModel, Timers } from "#core/state/ports.ts";
import { answerText, sideQuestion, sideUsage } from "#core/turn/side-call.ts";
import type { Registry } from "./registry.ts";

/**
 * A model for what an agent does by itself (dreaming), never for an answer to somebody. One call, bounded
 * in time, paid for like any other. Without a model, with one that answers by rules, or after a failure
 * there is no text: whoever asks has a way without.
 */
export interface AgentModel {
  available(): boolean;
  /** `id` names the call for good: it is paid for once, however often it is told. */
  ask(request: AgentModelRequest): Promise<string | null>;
}

export interface AgentModelRequest {
  readonly id: string;
  readonly system: string;
  readonly text: string;
  readonly maxOutputTokens: number;
}

export interface AgentModelParts {
  readonly agentId: string;
  readonly registry: Registry;
  readonly config: Config;
  readonly timers: Timers;
  readonly log: Log;
  /** `provider/model`; undefined = the agent's own. */
  readonly name: string | undefined;
  addUsage(rows: readonly UsageRow[]): void;
}

const TIME_MS = 120_000;

export function createAgentModel(parts: AgentModelParts): AgentModel {
  const { agentId, registry, config, timers, log } = parts;
  const now = () => Date.now();
  const own = config.agents.list.find(({ id }) => id === agentId)?.model;

  function model(): ResolvedModel | null {
    const resolved = registry.resolveModel(parts.name ?? own);
    return resolved.ok && !resolved.value.info.scripted ? resolved.value : null;
  }

  return {
    available: () => model() !== null,
    async ask(request) {
      const resolved = model();
      if (resolved === null) return null;
      const startedAt = now();
      const outcome = await sideQuestion({ config, timers, now }, resolved, {
        system: request.system,
        text: request.text,
        maxOutputTokens: request.maxOutputTokens,
        cacheKey: request.id,
        ms: TIME_MS,
      });
      const row = sideUsage(resolved, outcome, {
        ...namesOf(agentId, request),
        startedAt,
        endedAt: now(),
      });
      parts.addUsage(row ? [row] : []);
      if (outcome.type === "answer") return answerText(outcome);
      const { reason, message } = outcome.fault;
      log.warn("agent.model_failed", { id: request.id, model: resolved.name, reason, message });
      return null;
    },
  };
}

function namesOf(agentId: string, { id }: AgentModelRequest) {
  const work = `agent:${agentId}:${id.split(":")[0] ?? "work"}`;
  return { id, agentId, sessionKey: work, sessionId: work, turnId: id };
}
