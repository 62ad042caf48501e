import type { UsageRow } from "#contract/agent-port.ts";
import type { Config } from "#contract/config.ts";
import type { Log } from "#contract/ports.ts";
import type { ResolvedModel, Timers } from "#core/state/ports.ts";
import { costOf } from "#core/state/usage.ts";
import { callModel, type ModelOutcome } from "#core/turn/model-call.ts";
import { noUsage } from "#kit/model/ending.ts";
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
  const { agentId, registry, config, log } = parts;
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
      const startedAt = Date.now();
      const outcome = await call(parts, resolved, request);
      parts.addUsage(usageRows(agentId, resolved, { request, outcome, startedAt }));
      if (outcome.type === "answer") return textOf(outcome);
      const { reason, message } = outcome.fault;
      log.warn("agent.model_failed", { id: request.id, model: resolved.name, reason, message });
      return null;
    },
  };
}

async function call(
  { config, timers }: AgentModelParts,
  { provider, info }: ResolvedModel,
  { id, system, text, maxOutputTokens }: AgentModelRequest,
): Promise<ModelOutcome> {
  const time = new AbortController();
  const cancel = timers.after(TIME_MS, () =>
    time.abort(new DOMException("the call took too long", "TimeoutError")),
  );
  try {
    return await callModel({
      provider,
      request: {
        model: info.id,
        system: [{ text: system, cacheBoundary: false }],
        messages: [{ role: "user", content: [{ type: "text", text }] }],
        tools: [],
        maxOutputTokens: Math.min(maxOutputTokens, info.maxOutputTokens),
        thinking: "off",
        cacheKey: id,
      },
      signal: time.signal,
      idleMs: config.limits.streamIdleSeconds * 1000,
      timers,
      now: Date.now,
      readMedia: async () => null,
      onEvent: () => {},
    });
  } finally {
    cancel();
  }
}

function textOf(outcome: Extract<ModelOutcome, { type: "answer" }>): string {
  return outcome.message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function usageRows(
  agentId: string,
  model: ResolvedModel,
  call: {
    readonly request: AgentModelRequest;
    readonly outcome: ModelOutcome;
    readonly startedAt: number;
  },
): UsageRow[] {
  const { request, outcome, startedAt } = call;
  const { usage } = outcome;
  // What failed without a word of what it used was most likely not even begun.
  if (outcome.type === "fault" && usage === null) return [];
  const work = `agent:${agentId}:${request.id.split(":")[0] ?? "work"}`;
  return [
    {
      ...(usage ?? { ...noUsage, unreported: true }),
      id: request.id,
      agentId,
      sessionKey: work,
      sessionId: work,
      turnId: request.id,
      provider: model.provider.id,
      model: model.info.id,
      latencyMs: Date.now() - startedAt,
      cost: usage && costOf(model, usage),
      at: Date.now(),
    },
  ];
}
