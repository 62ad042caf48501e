import type { AssistantPart, ModelMessage, SystemSegment, UserPart } from "#contract/model.ts";
import type { ShownMedia } from "./media-part.ts";
import { pairCalls, type ToolNames, type WireCall } from "./wire-names.ts";
import { argumentsText, outputText, systemText } from "./wire-text.ts";

/**
 * Our messages → Chat Completions. The least common denominator of many servers: plain strings where
 * possible, roles that alternate, one `tool` message per call right behind the assistant message that
 * made it. Earlier thinking is not sent: no two servers agree on how. Pure; files are loaded before.
 */
export interface ChatOptions {
  readonly names: ToolNames;
  readonly media: ReadonlyMap<UserPart, ShownMedia>;
  /** The content of a message that only calls: some servers want null there, others take strings only. */
  readonly noText: null | "";
}

/** Types and not interfaces, so that a message is a JSON object too. */
export type ChatPart =
  | { type: "text"; text: string }
  | { type: "image_url"; image_url: { url: string } }
  | { type: "file"; file: { filename: string; file_data: string } };

type ChatCall = { id: string; type: "function"; function: { name: string; arguments: string } };

type SpokenMessage = { role: "assistant"; content: string | null; tool_calls?: ChatCall[] };

export type ChatMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: string | ChatPart[] }
  | SpokenMessage
  | { role: "tool"; tool_call_id: string; content: string };

export function chatMessages(
  system: readonly SystemSegment[],
  messages: readonly ModelMessage[],
  options: ChatOptions,
): ChatMessage[] {
  const pairs = pairCalls(messages);
  const wire: ChatMessage[] = [];
  let userParts: ChatPart[] = [];
  const flush = () => {
    if (userParts.length > 0) wire.push({ role: "user", content: simplest(userParts) });
    userParts = [];
  };
  for (const message of messages) {
    if (message.role === "user") userParts.push(...userContent(message.content, options));
    if (message.role !== "assistant") continue;
    const calls = pairs.get(message) ?? [];
    const spoken = assistantMessage(message.content, calls, options);
    if (spoken === undefined) continue;
    flush();
    wire.push(spoken, ...calls.map(toolMessage));
  }
  flush();
  const prompt = systemText(system);
  return prompt === undefined ? wire : [{ role: "system", content: prompt }, ...wire];
}

function userContent(parts: readonly UserPart[], options: ChatOptions): ChatPart[] {
  return parts.flatMap((part) => {
    if (part.type === "text") return textPart(part.text);
    const shown = options.media.get(part);
    return shown === undefined ? [] : mediaPart(shown);
  });
}

function mediaPart(shown: ShownMedia): ChatPart[] {
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

function textPart(text: string): ChatPart[] {
  return text.trim() === "" ? [] : [{ type: "text", text }];
}

/** Servers without vision often take strings only. */
function simplest(parts: ChatPart[]): string | ChatPart[] {
  const texts = parts.map((part) => (part.type === "text" ? part.text : undefined));
  return texts.includes(undefined) ? parts : texts.join("\n\n");
}

function assistantMessage(
  parts: readonly AssistantPart[],
  calls: readonly WireCall[],
  { names, noText }: ChatOptions,
): SpokenMessage | undefined {
  const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
  const silent = text.trim() === "";
  if (calls.length === 0) return silent ? undefined : { role: "assistant", content: text };
  return {
    role: "assistant",
    content: silent ? noText : text,
    tool_calls: calls.map(({ id, call }) => ({
      id,
      type: "function",
      function: { name: names.toWire(call.name), arguments: argumentsText(call.arguments) },
    })),
  };
}

function toolMessage(wired: WireCall): ChatMessage {
  return { role: "tool", tool_call_id: wired.id, content: outputText(wired) };
}
