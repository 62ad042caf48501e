import type { JsonObject } from "#contract/json.ts";
import type { AssistantPart, ModelMessage, SystemSegment, UserPart } from "#contract/model.ts";
import type { ShownMedia } from "#kit/model/media-part.ts";
import { pairCalls, type ToolNames, type WireCall } from "#kit/model/wire-names.ts";

/**
 * Our messages → the chat messages Workers AI takes, in the form that its oldest and newest models share:
 * content is always a string, except for pictures; a tool message stands right behind its call. Earlier
 * thinking is not sent. Pure; files are loaded before.
 */
export interface MessageOptions {
  readonly names: ToolNames;
  readonly media: ReadonlyMap<UserPart, ShownMedia>;
}

export function chatMessages(
  system: readonly SystemSegment[],
  messages: readonly ModelMessage[],
  options: MessageOptions,
): JsonObject[] {
  const prompt = system.map(({ text }) => text).filter((text) => text.trim() !== "");
  const wire: JsonObject[] =
    prompt.length === 0 ? [] : [{ role: "system", content: prompt.join("\n\n") }];
  const pairs = pairCalls(messages);
  let said: JsonObject[] = [];
  const flush = () => {
    if (said.length > 0) wire.push({ role: "user", content: simplest(said) });
    said = [];
  };
  for (const message of messages) {
    if (message.role === "user") said.push(...userContent(message.content, options));
    if (message.role !== "assistant") continue;
    const calls = pairs.get(message) ?? [];
    const text = textOf(message.content);
    if (text.trim() === "" && calls.length === 0) continue;
    flush();
    wire.push(assistantMessage(text, calls, options.names), ...calls.map(toolMessage));
  }
  flush();
  return wire;
}

function userContent(parts: readonly UserPart[], options: MessageOptions): JsonObject[] {
  return parts.flatMap((part): JsonObject[] => {
    if (part.type === "text") return textPart(part.text);
    const shown = options.media.get(part);
    if (shown?.kind === "image") {
      const url = `data:${shown.mimeType};base64,${shown.base64}`;
      return [{ type: "image_url", image_url: { url } }];
    }
    return shown?.kind === "text" ? textPart(shown.text) : [];
  });
}

function textPart(text: string): JsonObject[] {
  return text.trim() === "" ? [] : [{ type: "text", text }];
}

/** Models without vision take strings only. */
function simplest(parts: JsonObject[]): string | JsonObject[] {
  const texts = parts.map((part) => part["text"]).filter((text) => typeof text === "string");
  return texts.length === parts.length ? texts.join("\n\n") : parts;
}

function textOf(parts: readonly AssistantPart[]): string {
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function assistantMessage(text: string, calls: readonly WireCall[], names: ToolNames): JsonObject {
  const content = text.trim() === "" ? "" : text;
  if (calls.length === 0) return { role: "assistant", content };
  return {
    role: "assistant",
    content,
    tool_calls: calls.map(({ id, call }) => ({
      id,
      type: "function",
      function: { name: names.toWire(call.name), arguments: objectText(call.arguments) },
    })),
  };
}

function toolMessage({ id, result }: WireCall): JsonObject {
  return { role: "tool", tool_call_id: id, content: resultText(result) };
}

function resultText(result: WireCall["result"]): string {
  if (!result) return "No result: the call was interrupted.";
  if (result.text.trim() === "") return result.isError ? "Error: no explanation" : "(no output)";
  return result.isError ? `Error: ${result.text}` : result.text;
}

/** Templates parse the arguments: what is no object is shown inside one. */
function objectText(text: string): string {
  if (text.trim() === "") return "{}";
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return text;
  } catch {
    // Cut or invalid: shown below.
  }
  return JSON.stringify({ unparsed: text });
}
