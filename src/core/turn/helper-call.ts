import type { AssistantMessage, ModelMessage, ToolSchema, Usage } from "#contract/model.ts";
import type { Turn } from "#contract/turn.ts";
import type { ResolvedModel, SessionPorts } from "#core/state/ports.ts";
import { recordUsage } from "#core/state/usage.ts";
import { sideCall } from "./side-call.ts";

/**
 * A side call (side-call.ts) within a turn: with what it cost shown as the turn's.
 */
export interface HelperRequest {
  /** Distinguishes calls of one turn: `recall.1`. */
  readonly name: string;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSchema[];
  readonly maxOutputTokens: number;
}

/** Null: it failed, whatever the reason. Ends soon after `signal` aborts. */
export async function helperCall(
  ports: SessionPorts,
  turn: Turn,
  model: ResolvedModel,
  { signal, ...request }: HelperRequest & { readonly signal: AbortSignal },
): Promise<AssistantMessage | null> {
  const startedAt = ports.now();
  const outcome = await sideCall(ports, model, {
    ...request,
    signal,
    cacheKey: `${turn.sessionId}:${request.name}`,
  });
  record(ports, turn, model, {
    name: request.name,
    usage: outcome.usage,
    failed: outcome.type === "fault",
    latencyMs: ports.now() - startedAt,
  });
  if (outcome.type === "answer") return outcome.message;
  const { reason, message } = outcome.fault;
  ports.log.info("helper.failed", { turn: turn.id, name: request.name, reason, message });
  return null;
}

function record(
  ports: SessionPorts,
  turn: Turn,
  model: ResolvedModel,
  call: {
    readonly name: string;
    readonly usage: Usage | null;
    readonly failed: boolean;
    readonly latencyMs: number;
  },
): void {
  // What failed without a word of what it used was most likely not even begun.
  if (call.failed && call.usage === null) return;
  const { name, usage, latencyMs } = call;
  ports.store.transaction(() => recordUsage(ports, turn, model, { name, usage, latencyMs }));
}
