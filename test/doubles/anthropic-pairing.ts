import type { AnthropicBody } from "./anthropic-rules.ts";

/**
 * Anthropic's rules about calls and results: ids are unique, the message after a call holds its result,
 * results come first in their message, and no result is without its call.
 */
type Messages = AnthropicBody["messages"];

export function callRefusal(messages: Messages): string | undefined {
  const seen = new Set<string>();
  for (const [index, message] of messages.entries()) {
    const problem =
      message.role === "assistant"
        ? assistantProblem(messages, index, seen)
        : userProblem(messages, index);
    if (problem !== undefined) return `messages.${index}: ${problem}`;
  }
  return undefined;
}

function assistantProblem(
  messages: Messages,
  index: number,
  seen: Set<string>,
): string | undefined {
  const calls = callIds(messages[index]);
  if (calls.some((id) => seen.has(id)) || new Set(calls).size < calls.length) {
    return "`tool_use` ids must be unique";
  }
  for (const id of calls) seen.add(id);
  const answered = resultIds(messages[index + 1]);
  const missing = calls.filter((id) => !answered.includes(id));
  if (missing.length === 0) return undefined;
  return `\`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}`;
}

function userProblem(messages: Messages, index: number): string | undefined {
  const results = resultIds(messages[index]);
  const calls = callIds(messages[index - 1]);
  const orphan = results.find((id) => !calls.includes(id));
  if (orphan !== undefined) {
    return `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${orphan}`;
  }
  if (new Set(results).size < results.length) return "each tool_use must have a single result";
  const types = blocksOf(messages[index]).map((block) => block.type);
  const isFirst = types.slice(0, results.length).every((type) => type === "tool_result");
  return isFirst ? undefined : "`tool_result` blocks must come before other content";
}

function blocksOf(message: Messages[number] | undefined) {
  return message === undefined || typeof message.content === "string" ? [] : message.content;
}

function callIds(message: Messages[number] | undefined): string[] {
  return blocksOf(message).flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
}

function resultIds(message: Messages[number] | undefined): string[] {
  return blocksOf(message).flatMap((block) =>
    block.type === "tool_result" ? [block.tool_use_id] : [],
  );
}
