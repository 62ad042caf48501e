import type { MessageParam, TextBlockParam, Tool } from "@anthropic-ai/sdk/resources/messages";
import type { SystemSegment } from "#contract/model.ts";

/**
 * Where the cached prefix may end: after the last tool, at the boundaries of the system prompt, and
 * after the last two user messages (the newer one is written, the older one is read by the next call).
 * The API takes four marks; when there are more boundaries, the last ones count.
 */
const maxMarks = 4;
const markedTurns = 2;
const mark = { type: "ephemeral" } as const;

/** Segments → blocks, joined by a blank line, with the marks that are left for the system prompt. */
export function systemBlocks(
  segments: readonly SystemSegment[],
  hasTools: boolean,
): TextBlockParam[] {
  const blocks: { texts: string[]; marked: boolean }[] = [{ texts: [], marked: false }];
  for (const segment of segments) {
    if (segment.text.trim() !== "") blocks.at(-1)!.texts.push(segment.text);
    if (!segment.cacheBoundary || blocks.at(-1)!.texts.length === 0) continue;
    blocks.at(-1)!.marked = true;
    blocks.push({ texts: [], marked: false });
  }
  const shown = blocks.filter((block) => block.texts.length > 0);
  const left = maxMarks - markedTurns - (hasTools ? 1 : 0);
  const marked = shown.filter((block) => block.marked).slice(-left);
  return shown.map((block, index) => ({
    type: "text",
    text: block.texts.join("\n\n") + (index < shown.length - 1 ? "\n\n" : ""),
    ...(marked.includes(block) ? { cache_control: mark } : {}),
  }));
}

export function markTools(tools: readonly Tool[]): Tool[] {
  return tools.map((tool, index) =>
    index === tools.length - 1 ? { ...tool, cache_control: mark } : tool,
  );
}

export function markTurns(messages: readonly MessageParam[]): MessageParam[] {
  const users = messages.filter((message) => message.role === "user").slice(-markedTurns);
  const marked = new Set<MessageParam>(users);
  return messages.map((message) => (marked.has(message) ? markLast(message) : message));
}

function markLast(message: MessageParam): MessageParam {
  if (typeof message.content === "string") return message;
  const content = message.content.map((block, index, all) =>
    index === all.length - 1 ? { ...block, cache_control: mark } : block,
  );
  return { role: message.role, content } as MessageParam;
}
