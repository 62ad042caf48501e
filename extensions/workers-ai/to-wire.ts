import type { JsonObject } from "#contract/json.ts";
import type { ModelRequest, UserPart } from "#contract/model.ts";
import { chatMessages } from "#kit/model/chat-messages.ts";
import type { ShownMedia } from "#kit/model/media-part.ts";
import { portableSchema } from "#kit/model/portable-schema.ts";
import { nearestLevel, thinkingTokens } from "#kit/model/thinking-level.ts";
import type { ToolNames } from "#kit/model/wire-names.ts";
import { hostedModel, type HostedModel } from "./models.ts";

/**
 * Our request → the input of one `AI.run`. Always streamed, always with usage. `max_tokens` is set,
 * because its default on older models is 256; it is the name that all models understand.
 */
export interface Wiring {
  readonly names: ToolNames;
  readonly media: ReadonlyMap<UserPart, ShownMedia>;
}

export function runInput(request: ModelRequest, wiring: Wiring): JsonObject {
  const model = hostedModel(request.model);
  const level = nearestLevel(request.thinking, model.info.thinkingLevels);
  const tools = request.tools.map(({ name, description, parameters }) => ({
    type: "function",
    function: {
      name: wiring.names.toWire(name),
      description,
      parameters: portableSchema(parameters),
    },
  }));
  return {
    // Its oldest models take strings only.
    messages: chatMessages(request.system, request.messages, { ...wiring, noText: "" }),
    stream: true,
    stream_options: { include_usage: true },
    max_tokens: Math.min(
      request.maxOutputTokens + thinkingTokens[level],
      model.info.maxOutputTokens,
    ),
    ...(tools.length > 0 ? { tools } : {}),
    ...thinkingFields(model, level),
  };
}

function thinkingFields({ thinking }: HostedModel, level: ModelRequest["thinking"]): JsonObject {
  switch (thinking.kind) {
    case "none":
      return {};
    case "switch":
      return { chat_template_kwargs: { enable_thinking: level !== "off" } };
    case "effort":
      if (level === "off") return thinking.canBeOff ? { reasoning_effort: "none" } : {};
      return { reasoning_effort: level };
  }
}

/**
 * Headers that keep a conversation on the machine that has its beginning cached. Only printable ASCII may
 * stand in a header.
 */
export function affinityHeaders(cacheKey: string): Record<string, string> {
  const value = cacheKey.replaceAll(/[^\x21-\x7e]/g, "_").slice(-128);
  return value === "" ? {} : { "x-session-affinity": value };
}
