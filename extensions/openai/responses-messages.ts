import type { ResponseInputContent, ResponseInputItem } from "openai/resources/responses/responses";
import type { AssistantPart, ModelMessage, UserPart } from "#contract/model.ts";
import type { ShownMedia } from "#kit/model/media-part.ts";
import { pairCalls, type ToolNames, type WireCall } from "#kit/model/wire-names.ts";
import { argumentsText, outputText } from "#kit/model/wire-text.ts";
import { reasoningItem } from "./reasoning-item.ts";

/**
 * Our messages → input items of the Responses API. Every call is followed by the outputs of its message
 * in call order. Reasoning goes back only within the running turn, where the model needs it to go on
 * after its tools; older reasoning would be paid for and could no longer be read after a change of key.
 * Pure; files are loaded before.
 */
export interface InputOptions {
  readonly model: string;
  readonly names: ToolNames;
  readonly media: ReadonlyMap<UserPart, ShownMedia>;
}

export function responsesInput(
  messages: readonly ModelMessage[],
  options: InputOptions,
): ResponseInputItem[] {
  const pairs = pairCalls(messages);
  const turnStart = messages.findLastIndex((message) => message.role === "user");
  return messages.flatMap((message, index): ResponseInputItem[] => {
    if (message.role === "user") return userItems(message.content, options);
    // Outputs were sent with their calls.
    if (message.role === "tool") return [];
    const calls = pairs.get(message) ?? [];
    const shown = index > turnStart ? message.content : message.content.filter(isSpoken);
    return [...assistantItems(shown, calls, options), ...calls.map(outputItem)];
  });
}

function isSpoken(part: AssistantPart): boolean {
  return part.type !== "thinking";
}

function userItems(parts: readonly UserPart[], options: InputOptions): ResponseInputItem[] {
  const content = parts.flatMap((part): ResponseInputContent[] => {
    if (part.type === "text") return textContent(part.text);
    const shown = options.media.get(part);
    return shown === undefined ? [] : mediaContent(shown);
  });
  return content.length === 0 ? [] : [{ type: "message", role: "user", content }];
}

function mediaContent(shown: ShownMedia): ResponseInputContent[] {
  switch (shown.kind) {
    case "image": {
      const image_url = `data:${shown.mimeType};base64,${shown.base64}`;
      return [{ type: "input_image", image_url, detail: "auto" }];
    }
    case "pdf": {
      const file_data = `data:application/pdf;base64,${shown.base64}`;
      return [{ type: "input_file", filename: shown.name || "document.pdf", file_data }];
    }
    case "text":
      return textContent(shown.text);
  }
}

function textContent(text: string): ResponseInputContent[] {
  return text.trim() === "" ? [] : [{ type: "input_text", text }];
}

function assistantItems(
  parts: readonly AssistantPart[],
  calls: readonly WireCall[],
  options: InputOptions,
): ResponseInputItem[] {
  const items = parts.flatMap((part): ResponseInputItem[] => {
    if (part.type === "text") {
      return part.text.trim() === "" ? [] : [{ role: "assistant", content: part.text }];
    }
    if (part.type === "thinking") {
      const item = reasoningItem(part, options.model);
      return item === undefined ? [] : [item];
    }
    const wired = calls.find(({ call }) => call === part);
    return wired === undefined ? [] : [callItem(wired, options.names)];
  });
  // The API refuses reasoning that nothing follows.
  const end = items.findLastIndex((item) => item.type !== "reasoning");
  return items.slice(0, end + 1);
}

function callItem({ id, call }: WireCall, names: ToolNames): ResponseInputItem {
  const name = names.toWire(call.name);
  return { type: "function_call", call_id: id, name, arguments: argumentsText(call.arguments) };
}

function outputItem(wired: WireCall): ResponseInputItem {
  return { type: "function_call_output", call_id: wired.id, output: outputText(wired) };
}
