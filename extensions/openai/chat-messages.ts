import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionContentPart,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import type { AssistantPart, ModelMessage, SystemSegment, UserPart } from "#contract/model.ts";
import type { ShownMedia } from "#kit/model/media-part.ts";
import { pairCalls, type ToolNames, type WireCall } from "#kit/model/wire-names.ts";
import { argumentsText, outputText, systemText } from "./wire-text.ts";

/**
 * Our messages → Chat Completions. The least common denominator of many servers: plain strings where
 * possible, roles that alternate, one `tool` message per call right behind the assistant message that
 * made it. Earlier thinking is not sent: no two servers agree on how. Pure; files are loaded before.
 */
export interface MessageOptions {
  readonly names: ToolNames;
  readonly media: ReadonlyMap<UserPart, ShownMedia>;
}

export function chatMessages(
  system: readonly SystemSegment[],
  messages: readonly ModelMessage[],
  options: MessageOptions,
): ChatCompletionMessageParam[] {
  const pairs = pairCalls(messages);
  const wire: ChatCompletionMessageParam[] = [];
  let userParts: ChatCompletionContentPart[] = [];
  const flush = () => {
    if (userParts.length > 0) wire.push({ role: "user", content: simplest(userParts) });
    userParts = [];
  };
  for (const message of messages) {
    if (message.role === "user") userParts.push(...userContent(message.content, options));
    if (message.role !== "assistant") continue;
    const calls = pairs.get(message) ?? [];
    const spoken = assistantMessage(message.content, calls, options.names);
    if (spoken === undefined) continue;
    flush();
    wire.push(spoken, ...calls.map(toolMessage));
  }
  flush();
  const prompt = systemText(system);
  return prompt === undefined ? wire : [{ role: "system", content: prompt }, ...wire];
}

function userContent(
  parts: readonly UserPart[],
  options: MessageOptions,
): ChatCompletionContentPart[] {
  return parts.flatMap((part) => {
    if (part.type === "text") return textPart(part.text);
    const shown = options.media.get(part);
    return shown === undefined ? [] : mediaPart(shown);
  });
}

function mediaPart(shown: ShownMedia): ChatCompletionContentPart[] {
  switch (shown.kind) {
    case "image": {
      const url = `data:${shown.mimeType};base64,${shown.base64}`;
      return [{ type: "image_url", image_url: { url } }];
    }
    case "pdf": {
      const file_data = `data:application/pdf;base64,${shown.base64}`;
      return [{ type: "file", file: { filename: shown.name || "document.pdf", file_data } }];
    }
    case "text":
      return textPart(shown.text);
  }
}

function textPart(text: string): ChatCompletionContentPart[] {
  return text.trim() === "" ? [] : [{ type: "text", text }];
}

/** Servers without vision often take strings only. */
function simplest(parts: ChatCompletionContentPart[]): string | ChatCompletionContentPart[] {
  const texts = parts.map((part) => (part.type === "text" ? part.text : undefined));
  return texts.includes(undefined) ? parts : texts.join("\n\n");
}

function assistantMessage(
  parts: readonly AssistantPart[],
  calls: readonly WireCall[],
  names: ToolNames,
): ChatCompletionAssistantMessageParam | undefined {
  const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  const content = text.trim() === "" ? null : text;
  if (calls.length === 0) return content === null ? undefined : { role: "assistant", content };
  return {
    role: "assistant",
    content,
    tool_calls: calls.map(({ id, call }) => ({
      id,
      type: "function",
      function: { name: names.toWire(call.name), arguments: argumentsText(call.arguments) },
    })),
  };
}

function toolMessage(wired: WireCall): ChatCompletionMessageParam {
  return { role: "tool", tool_call_id: wired.id, content: outputText(wired) };
}
