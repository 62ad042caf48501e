import type { AssistantPart, ModelMessage, UserPart } from "#contract/model.ts";
import type { TranscriptEntry } from "#contract/transcript.ts";
import { guardName, guardText } from "#kit/text-guard.ts";
import { repairMessages } from "./repair.ts";

/**
 * Transcript entries → the messages of one request. The same entries always give the same messages, so
 * that a provider's prompt cache holds. The product's own lines begin with "[Pagurus]", in a person's
 * message; what people wrote is kept from looking like them. The transcript is never changed. Which
 * entries are taken is decided elsewhere (trim-history.ts).
 */
export interface ContextOptions {
  /** Older turns that are not among the entries; the model is told. */
  readonly leftOut?: number;
}

const EMPTY = "(a message without text)";

type UserEntry = Extract<TranscriptEntry, { role: "user" }>;

/** Valid messages for any provider; empty for no entries. */
export function buildMessages(
  entries: readonly TranscriptEntry[],
  options: ContextOptions = {},
): ModelMessage[] {
  const messages = entries.map(toMessage);
  const { leftOut = 0 } = options;
  if (leftOut > 0 && messages.length > 0) messages.unshift(note(leftOutText(leftOut)));
  return repairMessages(messages);
}

function leftOutText(turns: number): string {
  return turns === 1
    ? "1 older turn of this conversation is left out here."
    : `${turns} older turns of this conversation are left out here.`;
}

function toMessage(entry: TranscriptEntry): ModelMessage {
  switch (entry.role) {
    case "user":
      return { role: "user", content: userParts(entry) };
    case "assistant":
      return { role: "assistant", content: assistantParts(entry) };
    case "tool": {
      // What the owner's own files say stays exact, so that an edit can quote it.
      const outside = entry.trust === "untrusted";
      const results = entry.results.map((result) =>
        outside ? { ...result, text: guardText(result.text) } : result,
      );
      return { role: "tool", results };
    }
    case "note":
      return note(entry.text);
  }
}

function note(text: string): ModelMessage {
  return { role: "user", content: [{ type: "text", text: `[Pagurus] ${guardText(text)}` }] };
}

function userParts({ content, author }: UserEntry): UserPart[] {
  const parts = content
    .filter((part) => part.type !== "text" || part.text.trim() !== "")
    .map((part) => (part.type === "text" ? { ...part, text: guardText(part.text) } : part));
  if (parts.length === 0) parts.push({ type: "text", text: EMPTY });
  if (!author.showName) return parts;
  const label = `${guardName(author.name)}${author.isOwner ? " (owner)" : ""}:`;
  const [first, ...rest] = parts;
  return first?.type === "text"
    ? [{ ...first, text: `${label} ${first.text}` }, ...rest]
    : [{ type: "text", text: label }, ...parts];
}

/** Of an answer that was cut, only its words count: its calls never ran, its thinking is not whole. */
function assistantParts(entry: Extract<TranscriptEntry, { role: "assistant" }>): AssistantPart[] {
  if (entry.status === "complete") return entry.content;
  return entry.content.filter((part) => part.type === "text");
}
