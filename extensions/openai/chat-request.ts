import type { ChatCompletionCreateParamsStreaming } from "openai/resources/chat/completions";
import type { ModelRequest, UserPart } from "#contract/model.ts";
import { chatMessages } from "#kit/model/chat-messages.ts";
import type { ShownMedia } from "#kit/model/media-part.ts";
import type { ToolNames } from "#kit/model/wire-names.ts";
import { openAiModel } from "./models.ts";
import { chatTools } from "./schema.ts";
import type { Endpoint } from "./settings.ts";
import { planThinking } from "./thinking.ts";

/**
 * Our request → one call of Chat Completions. Fields that only OpenAI knows go to OpenAI only: strict
 * servers answer an unknown field with an error. Usage is always asked for.
 */
export interface Wiring {
  readonly endpoint: Endpoint;
  readonly names: ToolNames;
  readonly media: ReadonlyMap<UserPart, ShownMedia>;
}

/** OpenAI's limit. The end of a key tells conversations apart better than its beginning. */
export function promptCacheKey(cacheKey: string): string {
  return cacheKey.slice(-64);
}

export function chatRequest(
  request: ModelRequest,
  wiring: Wiring,
): ChatCompletionCreateParamsStreaming {
  const { endpoint, names } = wiring;
  const plan = planThinking(request, openAiModel(request.model), endpoint);
  const tools = chatTools(request.tools, names);
  const isOpenAi = endpoint.dialect === "openai";
  return {
    model: request.model,
    messages: chatMessages(request.system, request.messages, { ...wiring, noText: null }),
    stream: true,
    stream_options: { include_usage: true },
    ...(isOpenAi ? { max_completion_tokens: plan.maxTokens } : { max_tokens: plan.maxTokens }),
    ...(tools.length > 0 ? { tools } : {}),
    ...(plan.effort === undefined ? {} : { reasoning_effort: plan.effort }),
    ...(isOpenAi && request.cacheKey !== ""
      ? { prompt_cache_key: promptCacheKey(request.cacheKey) }
      : {}),
  };
}
