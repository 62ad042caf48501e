import type { QueueRow } from "./row.ts";

/**
 * What stands in for messages that did not fit the queue: their number, and a line of each, so that a
 * person who wrote forty messages is not answered as if they had written twenty. It is context for
 * the model, made of other people's words.
 */
const LINE_CHARS = 160;
const MAX_LINES = 40;

export function overflowSummary(rows: readonly QueueRow[]): string {
  const shown = rows.slice(-MAX_LINES);
  const hidden = rows.length - shown.length;
  return [
    `[${rows.length} earlier ${rows.length === 1 ? "message" : "messages"} did not fit the queue and came through only in part]`,
    ...(hidden > 0 ? [`- (${hidden} older ones without their text)`] : []),
    ...shown.map(({ message }) => `- ${oneLine(message.sender.name, 40)}: ${content(message)}`),
  ].join("\n");
}

function content({ text, shared = "", attachments }: QueueRow["message"]): string {
  const files = attachments.map((file) => `[${file.kind}]`).join(" ");
  return [oneLine(`${text} ${shared}`, LINE_CHARS), files].filter((part) => part !== "").join(" ");
}

function oneLine(text: string, limit: number): string {
  const characters = Array.from(text.replace(/\s+/g, " ").trim());
  return characters.length > limit
    ? `${characters.slice(0, limit - 1).join("")}…`
    : characters.join("");
}
