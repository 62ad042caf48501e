import type { ReasoningEffort } from "openai/resources/shared";
import type { ModelRequest } from "#contract/model.ts";
import { nearestLevel, thinkingTokens } from "#kit/model/thinking-level.ts";
import type { OpenAiModel } from "./models.ts";
import type { Endpoint } from "./settings.ts";

/**
 * Our thinking level → a reasoning effort, and the output tokens it needs on top of the answer's. A
 * server that is not OpenAI's is told an effort only when one was wished: most refuse the field.
 */
export interface ThinkingPlan {
  readonly effort?: ReasoningEffort;
  readonly maxTokens: number;
}

/** Set aside for models that reason by default and cannot be told what to do. */
const unaskedTokens = thinkingTokens.medium;

export function planThinking(
  request: ModelRequest,
  model: OpenAiModel,
  endpoint: Endpoint,
): ThinkingPlan {
  const level = nearestLevel(request.thinking, model.info.thinkingLevels);
  if (level !== "off") {
    return { effort: level, maxTokens: outputTokens(request, model, thinkingTokens[level]) };
  }
  if (model.off === "none") return { effort: "none", maxTokens: outputTokens(request, model, 0) };
  const reasonsAnyway = model.reasons === true && endpoint.dialect === "openai";
  return { maxTokens: outputTokens(request, model, reasonsAnyway ? unaskedTokens : 0) };
}

function outputTokens(request: ModelRequest, model: OpenAiModel, extra: number): number {
  return Math.min(request.maxOutputTokens + extra, model.info.maxOutputTokens);
}
