import type {
  ContentBlockParam,
  MessageParam,
  ToolResultBlockParam,
  ToolUseBlockParam,
} from "@anthropic-ai/sdk/resources/messages";
import { z } from "zod";
import type { AssistantPart, ModelMessage, UserPart } from "#contract/model.ts";
import type { ShownMedia } from "#kit/model/media-part.ts";
import { pairCalls, type ToolNames, type WireCall } from "#kit/model/wire-names.ts";

/**
 * Our messages → Anthropic's. Whatever comes in, what goes out obeys the API: no blank text, roles
 * alternate from `user`, the results of parallel calls are one user message in call order with nothing
 * before them, and every call has its result. Pure; files are loaded before.
 */
export interface MessageOptions {
  readonly names: ToolNames;
  readonly media: ReadonlyMap<UserPart, ShownMedia>;
  /** Send our own earlier thinking back. */
  readonly replayThinking: boolean;
}

interface WireMessage {
  readonly role: "user" | "assistant";
  readonly content: ContentBlockParam[];
}

export function messagesToWire(
  messages: readonly ModelMessage[],
  options: MessageOptions,
): MessageParam[] {
  const pairs = pairCalls(messages);
  const wire: WireMessage[] = [];
  for (const message of messages) {
    const calls = pairs.get(message) ?? [];
    if (message.role === "user") append(wire, "user", userBlocks(message.content, options));
    if (message.role === "assistant") {
      append(wire, "assistant", assistantBlocks(message.content, calls, options));
      append(wire, "user", calls.map(resultBlock));
    }
    // Results were sent with their calls.
  }
  if (wire[0]?.role !== "user") wire.unshift({ role: "user", content: [text("(continued)")] });
  return wire;
}

function append(
  wire: WireMessage[],
  role: WireMessage["role"],
  content: ContentBlockParam[],
): void {
  if (content.length === 0) return;
  const last = wire.at(-1);
  if (last?.role === role) last.content.push(...content);
  else wire.push({ role, content });
}

function userBlocks(parts: readonly UserPart[], options: MessageOptions): ContentBlockParam[] {
  return parts.flatMap((part) => {
    if (part.type === "text") return textBlocks(part.text);
    const shown = options.media.get(part);
    return shown === undefined ? [] : mediaBlocks(shown);
  });
}

function mediaBlocks(shown: ShownMedia): ContentBlockParam[] {
  switch (shown.kind) {
    case "image": {
      const source = { type: "base64", media_type: shown.mimeType, data: shown.base64 } as const;
      return [{ type: "image", source }];
    }
    case "pdf": {
      const source = { type: "base64", media_type: "application/pdf", data: shown.base64 } as const;
      return [{ type: "document", source, title: shown.name.slice(0, 200) || "document" }];
    }
    case "text":
      return textBlocks(shown.text);
  }
}

function assistantBlocks(
  parts: readonly AssistantPart[],
  calls: readonly WireCall[],
  options: MessageOptions,
): ContentBlockParam[] {
  const blocks = parts.flatMap((part): ContentBlockParam[] => {
    if (part.type === "text") return textBlocks(part.text);
    if (part.type === "thinking") return options.replayThinking ? thinkingBlocks(part) : [];
    const wired = calls.find(({ call }) => call === part);
    return wired === undefined ? [] : [callBlock(wired, options.names)];
  });
  return blocks.some((block) => !isThinking(block)) ? blocks : [];
}

function thinkingBlocks(part: Extract<AssistantPart, { type: "thinking" }>): ContentBlockParam[] {
  if (part.provider !== "anthropic") return [];
  if (part.redacted !== undefined) return [{ type: "redacted_thinking", data: part.redacted }];
  if (part.signature === undefined) return [];
  return [{ type: "thinking", thinking: part.text, signature: part.signature }];
}

function isThinking(block: ContentBlockParam): boolean {
  return block.type === "thinking" || block.type === "redacted_thinking";
}

function callBlock({ id, call }: WireCall, names: ToolNames): ToolUseBlockParam {
  return {
    type: "tool_use",
    id,
    name: names.toWire(call.name),
    input: argumentsObject(call.arguments),
  };
}

const objectSchema = z.record(z.string(), z.unknown());

/** `input` must be an object; a cut or invalid call shows the model what it wrote. */
function argumentsObject(raw: string): Record<string, unknown> {
  if (raw.trim() === "") return {};
  try {
    const parsed = objectSchema.safeParse(JSON.parse(raw));
    if (parsed.success) return parsed.data;
  } catch {
    // Not JSON: shown as it is, below.
  }
  return { unparsed: raw };
}

function resultBlock({ id, result }: WireCall): ToolResultBlockParam {
  const block = { type: "tool_result", tool_use_id: id } as const;
  if (result === undefined) {
    return { ...block, content: "No result: the call was interrupted.", is_error: true };
  }
  const content = result.text.trim() === "" ? "(no output)" : result.text;
  return result.isError ? { ...block, content, is_error: true } : { ...block, content };
}

function textBlocks(value: string): ContentBlockParam[] {
  return value.trim() === "" ? [] : [text(value)];
}

function text(value: string): ContentBlockParam {
  return { type: "text", text: value };
}
