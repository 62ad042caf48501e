import type { MessageCreateParamsStreaming } from "@anthropic-ai/sdk/resources/messages";
import type { ModelRequest } from "#contract/model.ts";
import type { StreamContext } from "#contract/provider.ts";
import { loadMedia } from "#kit/model/media-part.ts";
import { toolNames, type ToolNames } from "#kit/model/wire-names.ts";
import { markTools, markTurns, systemBlocks } from "./cache.ts";
import { messagesToWire } from "./messages.ts";
import { claudeModel } from "./models.ts";
import { toolsToWire } from "./schema.ts";
import { planThinking } from "./thinking.ts";

/**
 * Our request → one call of the Messages API. Puts the parts together; each part has its own file. No
 * sampling parameters and no forced tool choice: current models refuse both.
 */
export interface WireRequest {
  readonly body: MessageCreateParamsStreaming;
  readonly headers: Record<string, string>;
  readonly names: ToolNames;
}

export async function toWire(request: ModelRequest, context: StreamContext): Promise<WireRequest> {
  const model = claudeModel(request.model);
  const plan = planThinking(request, model);
  const names = toolNames(request.tools.map((tool) => tool.name));
  const media = await loadMedia(request.messages, {
    images: model.info.images,
    documents: true,
    readMedia: (mediaKey) => context.readMedia(mediaKey),
  });
  const tools = markTools(toolsToWire(request.tools, names));
  const system = systemBlocks(request.system, tools.length > 0);
  const options = { names, media, replayThinking: plan.replay };
  const body: MessageCreateParamsStreaming = {
    model: request.model,
    max_tokens: plan.maxTokens,
    stream: true,
    messages: markTurns(messagesToWire(request.messages, options)),
    ...(system.length > 0 ? { system } : {}),
    ...(tools.length > 0 ? { tools } : {}),
    ...(plan.config === undefined ? {} : { thinking: plan.config }),
    ...(plan.effort === undefined ? {} : { output_config: { effort: plan.effort } }),
  };
  const headers = plan.betas.length > 0 ? { "anthropic-beta": plan.betas.join(",") } : {};
  return { body, headers, names };
}
