import type { UsageRow } from "#contract/agent-port.ts";
import type { ModelMessage, ToolSchema } from "#contract/model.ts";
import type { ResolvedModel, SessionPorts } from "#core/state/ports.ts";
import { costOf } from "#core/state/usage.ts";
import { noUsage } from "#kit/model/ending.ts";
import { callModel, type ModelOutcome } from "./model-call.ts";

/**
 * A call of a model that answers nobody: short, without a journal, of no consequence if it fails, and paid
 * for like any other.
 */
export interface SideCall {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly tools?: readonly ToolSchema[];
  readonly maxOutputTokens: number;
  readonly cacheKey: string;
  readonly signal: AbortSignal;
}

export function sideCall(
  { config, timers, now }: Pick<SessionPorts, "config" | "timers" | "now">,
  { provider, info }: ResolvedModel,
  { system, messages, tools = [], maxOutputTokens, cacheKey, signal }: SideCall,
): Promise<ModelOutcome> {
  return callModel({
    provider,
    request: {
      model: info.id,
      system: [{ text: system, cacheBoundary: false }],
      messages,
      tools,
      maxOutputTokens: Math.min(maxOutputTokens, info.maxOutputTokens),
      thinking: "off",
      cacheKey,
    },
    signal,
    idleMs: config.limits.streamIdleSeconds * 1000,
    timers,
    now,
    readMedia: async () => null,
    onEvent: () => {},
  });
}

/** One question in words, which ends after `ms`. */
export async function sideQuestion(
  ports: Pick<SessionPorts, "config" | "timers" | "now">,
  model: ResolvedModel,
  question: Omit<SideCall, "messages" | "tools" | "signal"> & { text: string; ms: number },
): Promise<ModelOutcome> {
  const { text, ms, ...call } = question;
  const time = new AbortController();
  const cancel = ports.timers.after(ms, () =>
    time.abort(new DOMException("the call took too long", "TimeoutError")),
  );
  const messages: ModelMessage[] = [{ role: "user", content: [{ type: "text", text }] }];
  try {
    return await sideCall(ports, model, { ...call, messages, signal: time.signal });
  } finally {
    cancel();
  }
}

/** The words of an answer; null = there is none. */
export function answerText(outcome: ModelOutcome): string | null {
  if (outcome.type !== "answer") return null;
  return outcome.message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** Null: what failed without a word of what it used was most likely not even begun. */
export function sideUsage(
  model: ResolvedModel,
  outcome: ModelOutcome,
  facts: Pick<UsageRow, "id" | "agentId" | "sessionKey" | "sessionId" | "turnId"> & {
    readonly startedAt: number;
    readonly endedAt: number;
  },
): UsageRow | null {
  const { usage } = outcome;
  if (outcome.type === "fault" && usage === null) return null;
  const { startedAt, endedAt, ...row } = facts;
  return {
    ...(usage ?? { ...noUsage, unreported: true }),
    ...row,
    provider: model.provider.id,
    model: model.info.id,
    latencyMs: endedAt - startedAt,
    cost: usage && costOf(model, usage),
    at: endedAt,
  };
}
