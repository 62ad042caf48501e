import type {
  ThinkingConfigAdaptive,
  ThinkingConfigParam,
} from "@anthropic-ai/sdk/resources/messages";
import type { ModelRequest, ThinkingLevel } from "#contract/model.ts";
import { nearestLevel, thinkingTokens } from "#kit/model/thinking-level.ts";
import type { ClaudeModel, Effort } from "./models.ts";

/**
 * Our thinking level → what a Claude model takes: an effort with adaptive thinking, or a token budget.
 * It also says whether earlier thinking goes back. Newer models refuse thinking whose preceding prompt
 * has changed, and ours does (date, trimmed history), so the API is asked to drop what no longer fits;
 * where it cannot be asked, nothing is sent back.
 */
export interface ThinkingPlan {
  readonly config?: ThinkingConfigParam;
  readonly effort?: Effort;
  readonly replay: boolean;
  readonly maxTokens: number;
  readonly betas: readonly string[];
}

const bindingBeta = "thinking-binding-controls-2026-08-01";
const smallestBudget = 1024;
/** Left for the answer when a budget fills the whole output. */
const smallestAnswer = 1024;

export function planThinking(request: ModelRequest, model: ClaudeModel): ThinkingPlan {
  const level = nearestLevel(request.thinking, model.info.thinkingLevels);
  if (level === "off") return withoutThinking(request, model);
  return model.thinking.kind === "budget"
    ? withBudget(request, model, level)
    : adaptively(request, model, level);
}

function withoutThinking(request: ModelRequest, model: ClaudeModel): ThinkingPlan {
  const plan = { replay: false, maxTokens: outputTokens(request, model, 0), betas: [] };
  if (model.thinking.kind === "budget") return plan;
  const { off } = model.thinking;
  return off === "disabled" || off === "between_tools" ? { ...plan, config: { type: off } } : plan;
}

function adaptively(request: ModelRequest, model: ClaudeModel, level: ThinkingLevel): ThinkingPlan {
  const { bound, replay } = model.thinking as Extract<
    ClaudeModel["thinking"],
    { kind: "adaptive" }
  >;
  const config: ThinkingConfigAdaptive & { block_binding?: { prefix_mismatch_behavior: string } } =
    {
      type: "adaptive",
      display: "summarized",
      ...(bound ? { block_binding: { prefix_mismatch_behavior: "drop_block" } } : {}),
    };
  return {
    config,
    effort: effortOf(level),
    replay,
    maxTokens: outputTokens(request, model, thinkingTokens[level]),
    betas: bound ? [bindingBeta] : [],
  };
}

function withBudget(request: ModelRequest, model: ClaudeModel, level: ThinkingLevel): ThinkingPlan {
  // With a budget, a tool call that is being answered must be preceded by its thinking.
  if (answersUnthoughtCall(request)) return withoutThinking(request, model);
  const maxTokens = outputTokens(request, model, thinkingTokens[level]);
  const answer = Math.min(smallestAnswer, request.maxOutputTokens);
  const budget = Math.min(thinkingTokens[level], maxTokens - answer);
  if (budget < smallestBudget) return withoutThinking(request, model);
  return { config: { type: "enabled", budget_tokens: budget }, replay: true, maxTokens, betas: [] };
}

function outputTokens(request: ModelRequest, model: ClaudeModel, extra: number): number {
  return Math.min(request.maxOutputTokens + extra, model.info.maxOutputTokens);
}

function answersUnthoughtCall(request: ModelRequest): boolean {
  if (request.messages.at(-1)?.role !== "tool") return false;
  const last = request.messages.findLast((message) => message.role === "assistant");
  const first = last?.content[0];
  return !(first?.type === "thinking" && first.provider === "anthropic");
}

function effortOf(level: ThinkingLevel): Effort {
  return level === "off" || level === "minimal" ? "low" : level;
}
