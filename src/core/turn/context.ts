import type { AssistantPart, ModelMessage, ToolResult, UserPart } from "#contract/model.ts";
import { isClean, type TranscriptEntry } from "#contract/transcript.ts";
import { frameEnd, frameStart, wrapExternal } from "#kit/external-content.ts";
import { guardName, guardText } from "#kit/text-guard.ts";
import { frameId } from "./frame.ts";
import { repairMessages } from "./repair.ts";

/**
 * Transcript entries → the messages of one request. The same entries always give the same messages, so
 * that a provider's prompt cache holds. The product's own lines begin with "[Pagurus]", in a person's
 * message; what people wrote is kept from looking like them, and what no owner wrote stands in a frame
 * (kit/external-content.ts). The transcript is never changed. Which
 * entries are taken is decided elsewhere (trim-history.ts).
 */
export interface ContextOptions {
  /** Older turns that are not among the entries; the model is told. */
  readonly leftOut?: number;
  /** All that was said before this context is in the archive; the model is told. */
  readonly resumed?: boolean;
  /** Of this conversation, for the ids of frames (frame.ts). */
  readonly secret?: string;
}

const EMPTY = "(a message without text)";

const plainNames = { image: "image", file: "document.pdf" } as const;

type ToolEntry = Extract<TranscriptEntry, { role: "tool" }>;
type UserEntry = Extract<TranscriptEntry, { role: "user" }>;

/** Valid messages for any provider; empty for no entries. */
export function buildMessages(
  entries: readonly TranscriptEntry[],
  options: ContextOptions = {},
): ModelMessage[] {
  const { leftOut = 0, resumed = false, secret = "" } = options;
  const messages = entries.map((entry) => toMessage(entry, secret));
  if (leftOut > 0 && messages.length > 0) messages.unshift(note(leftOutText(leftOut)));
  if (resumed && messages.length > 0) messages.unshift(note(RESUMED));
  return repairMessages(messages);
}

const RESUMED =
  "This conversation rested for long. What was said in it before is archived and not shown here.";

function leftOutText(turns: number): string {
  return turns === 1
    ? "1 older turn of this conversation is left out here."
    : `${turns} older turns of this conversation are left out here.`;
}

function toMessage(entry: TranscriptEntry, secret: string): ModelMessage {
  switch (entry.role) {
    case "user":
      return { role: "user", content: userParts(entry, secret) };
    case "assistant":
      return { role: "assistant", content: assistantParts(entry) };
    case "tool":
      return { role: "tool", results: toolResults(entry, secret) };
    case "note":
      return note(entry.trust === "untrusted" ? othersWords(entry, secret) : entry.text);
  }
}

/** What the owner's own files say stays exact, so that an edit can quote it. */
function toolResults(entry: ToolEntry, secret: string): ToolResult[] {
  const told = entry.results.some(({ outside }) => outside !== undefined);
  return entry.results.map(({ outside, ...result }, index) => {
    if (entry.trust !== "untrusted" || (told && outside === undefined)) return result;
    // A frame that was cut open holds nothing.
    if (outside === "part" && framesAreWhole(result.text)) return result;
    const id = frameId(secret, `${entry.seq}.${index}`);
    return { ...result, text: wrapExternal(result.text, id) };
  });
}

function framesAreWhole(text: string): boolean {
  return text.match(frameStart)?.length === text.match(frameEnd)?.length;
}

/** Only that there is something is the product's word. */
function othersWords({ text, seq }: Extract<TranscriptEntry, { role: "note" }>, secret: string) {
  return `A summary, in the words of those who wrote:\n${wrapExternal(text, frameId(secret, seq))}`;
}

function note(text: string): ModelMessage {
  return { role: "user", content: [{ type: "text", text: `[Pagurus] ${guardText(text)}` }] };
}

function userParts({ content, author, trust, seq }: UserEntry, secret: string): UserPart[] {
  const isOwn = isClean(trust);
  const shown = (part: UserPart): UserPart => {
    // The words before it have its name as well, and those stand in a frame.
    if (part.type !== "text") return isOwn ? part : { ...part, name: plainNames[part.type] };
    const text = isOwn ? guardText(part.text) : wrapExternal(part.text, frameId(secret, seq));
    return { ...part, text };
  };
  const parts = content
    .filter((part) => part.type !== "text" || part.text.trim() !== "")
    .map(shown);
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
