import type { Usage } from "#contract/model.ts";
import type { Turn } from "#contract/turn.ts";
import { noUsage } from "#kit/model/ending.ts";
import type { ResolvedModel, SessionPorts } from "./ports.ts";

/** Stores what a model call used and cost; the agent takes the row over at the end of the turn. */
export function recordUsage(
  ports: SessionPorts,
  turn: Turn,
  model: ResolvedModel,
  call: {
    readonly usage: Usage | null;
    readonly latencyMs: number;
    /** Of a call beside the turn's own; unique in its step. */
    readonly name?: string;
  },
): void {
  const own = `${turn.id}:${turn.step}:${turn.attempts}`;
  ports.store.usage.add({
    ...(call.usage ?? { ...noUsage, unreported: true }),
    id: call.name === undefined ? own : `${own}:${call.name}`,
    agentId: ports.agentId,
    sessionKey: ports.key,
    sessionId: turn.sessionId,
    turnId: turn.id,
    provider: model.provider.id,
    model: model.info.id,
    latencyMs: call.latencyMs,
    cost: call.usage && costOf(model, call.usage),
    at: ports.now(),
  });
}

const PER_MILLION = 1_000_000;

/** US dollars of one call; null when the model's price is not known. */
export function costOf(model: ResolvedModel, usage: Usage): number | null {
  const { price } = model.info;
  if (!price) return null;
  return (
    (usage.input * price.input +
      usage.output * price.output +
      usage.cacheRead * price.cacheRead +
      usage.cacheWrite * price.cacheWrite) /
    PER_MILLION
  );
}
