import type { ResponseCreateParamsStreaming } from "openai/resources/responses/responses";
import type { ModelRequest } from "#contract/model.ts";
import { systemText } from "#kit/model/wire-text.ts";
import { promptCacheKey, type Wiring } from "./chat-request.ts";
import { openAiModel } from "./models.ts";
import { responsesInput } from "./responses-messages.ts";
import { responsesTools } from "./schema.ts";
import { planThinking } from "./thinking.ts";

/**
 * Our request → one call of the Responses API. Nothing is stored at OpenAI: the conversation is ours,
 * so reasoning comes back encrypted. Summaries of reasoning are not asked for, because accounts that
 * are not verified get an error instead of an answer.
 */
export function responsesRequest(
  request: ModelRequest,
  wiring: Wiring,
): ResponseCreateParamsStreaming {
  const model = openAiModel(request.model);
  const plan = planThinking(request, model, wiring.endpoint);
  const tools = responsesTools(request.tools, wiring.names);
  const instructions = systemText(request.system);
  return {
    model: request.model,
    input: responsesInput(request.messages, { ...wiring, model: request.model }),
    max_output_tokens: plan.maxTokens,
    store: false,
    stream: true,
    ...(instructions === undefined ? {} : { instructions }),
    ...(tools.length > 0 ? { tools } : {}),
    ...(plan.effort === undefined ? {} : { reasoning: { effort: plan.effort } }),
    ...(model.reasons === true ? { include: ["reasoning.encrypted_content" as const] } : {}),
    ...(request.cacheKey === "" ? {} : { prompt_cache_key: promptCacheKey(request.cacheKey) }),
  };
}
