import type { InboxItem } from "#contract/inbox.ts";
import type { InboundMessage } from "#contract/message.ts";
import type { UserPart } from "#contract/model.ts";
import type { NewTranscriptEntry, Trust } from "#contract/transcript.ts";
import type { Turn } from "#contract/turn.ts";
import { suspicions } from "#kit/external-content.ts";
import { estimateTextMessage, frameTokens } from "#kit/tokens.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { getSetting, setSetting } from "#core/state/settings.ts";
import { readAttachment, type ReadAttachment } from "./attachment.ts";
import { quotedWords, quoteTrust, wordTrust } from "./quote.ts";

/** Characters of text files shown of all files of a turn together; the files are kept whole. */
const TEXT_ROOM = 120_000;

/**
 * Messages → transcript entries. Attachments are fetched first, outside any transaction, under keys
 * that depend only on the message: doing it twice stores the same bytes in the same place.
 */
export interface FetchedMessage {
  readonly item: InboxItem;
  readonly attachments: readonly ReadAttachment[];
}

/** One file after the other, so that never more than one is in memory. */
export async function fetchAttachments(
  ports: SessionPorts,
  items: readonly InboxItem[],
): Promise<FetchedMessage[]> {
  const fetched: FetchedMessage[] = [];
  let room = TEXT_ROOM;
  for (const item of items) {
    const attachments: ReadAttachment[] = [];
    for (const [index, attachment] of item.message.attachments.entries()) {
      const read = await readAttachment(ports, { item, attachment, index, room });
      room = Math.max(0, room - read.chars);
      attachments.push(read);
    }
    fetched.push({ item, attachments });
  }
  return fetched;
}

export function needsFetching(items: readonly InboxItem[]): boolean {
  return items.some((item) => item.message.attachments.length > 0);
}

/** Appends the messages to the transcript; inside a transaction. */
export function appendMessages(
  ports: SessionPorts,
  turn: Pick<Turn, "id" | "sessionId">,
  messages: readonly FetchedMessage[],
): void {
  for (const fetched of messages) {
    const { message } = fetched.item;
    const trust = wordTrust(ports, turn, message);
    const read = { ...fetched, trust, quote: quoteOf(ports, turn, message) };
    for (const entry of entriesOf(turn, read)) appendEntry(ports, entry);
  }
  const last = messages.at(-1);
  if (last) setSetting(ports.store.settings, "lastUserMessageAt", last.item.receivedAt);
}

/**
 * Only what came with messages whose words are in the transcript already: their files could not be read
 * at an earlier try.
 */
export function appendFiles(
  ports: SessionPorts,
  turn: Pick<Turn, "id" | "sessionId">,
  messages: readonly FetchedMessage[],
): void {
  for (const fetched of messages) {
    for (const entry of entriesOf(turn, { ...fetched, trust: "untrusted", quote: null })) {
      if ("attachments" in entry) appendEntry(ports, entry);
    }
  }
}

/** What did not fit the queue, as one note; inside a transaction. */
export function appendOverflow(
  ports: SessionPorts,
  turn: Pick<Turn, "id" | "sessionId">,
  overflow: string | null,
): void {
  if (overflow === null) return;
  appendEntry(ports, {
    sessionId: turn.sessionId,
    turnId: turn.id,
    at: ports.now(),
    role: "note",
    trust: "untrusted",
    tokens: estimateTextMessage(overflow),
    text: overflow,
  });
}

/** Appends one entry and keeps the running sum of what a request would carry. */
export function appendEntry(ports: SessionPorts, entry: NewTranscriptEntry): number {
  const { settings, transcript } = ports.store;
  reportSuspicious(ports, entry);
  setSetting(
    settings,
    "historyTokens",
    (getSetting(settings, "historyTokens") ?? 0) + Math.ceil(entry.tokens),
  );
  return transcript.append(entry);
}

/** Blocked is nothing: the frame around it is what keeps it harmless. */
function reportSuspicious({ key, log }: SessionPorts, entry: NewTranscriptEntry): void {
  if (entry.trust !== "untrusted" || entry.role === "assistant") return;
  const signs = suspicions(textOf(entry));
  if (signs.length > 0) log.warn("content.suspicious", { session: key, role: entry.role, signs });
}

function textOf(entry: Exclude<NewTranscriptEntry, { role: "assistant" }>): string {
  switch (entry.role) {
    case "note":
      return entry.text;
    case "tool":
      return entry.results.map(({ text }) => text).join("\n");
    case "user":
      return entry.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  }
}

interface Quote {
  readonly text: string;
  readonly trust: Trust;
}

interface ReadMessage extends FetchedMessage {
  /** Of the words themselves. */
  readonly trust: Trust;
  readonly quote: Quote | null;
}

function quoteOf(
  ports: SessionPorts,
  turn: Pick<Turn, "sessionId">,
  message: InboundMessage,
): Quote | null {
  const text = quotedWords(message);
  return text === "" ? null : { text, trust: quoteTrust(ports, turn, message) };
}

/**
 * What the owner wrote, what it answers, and what merely came with it are entries of their own: each
 * is as trusted as whoever wrote it.
 */
function entriesOf(
  turn: Pick<Turn, "id" | "sessionId">,
  { item, attachments, trust: wordsTrust, quote }: ReadMessage,
): NewTranscriptEntry[] {
  const { message } = item;
  const common = {
    sessionId: turn.sessionId,
    turnId: turn.id,
    at: item.receivedAt,
    role: "user" as const,
    author: {
      name: message.sender.name,
      isOwner: message.sender.isOwner,
      showName: message.route.kind !== "direct",
    },
  };
  const written = (text: string, trust: Trust): NewTranscriptEntry => {
    const content: UserPart[] = [{ type: "text", text }];
    return { ...common, trust, tokens: estimateTextMessage(text), content };
  };
  const own = ownWords(message);
  const shared = message.shared ?? "";
  const foreign = attachments.flatMap((each) => each.parts);
  const bare = own === "" && (foreign.length > 0 || shared !== "");
  return [
    ...(quote === null ? [] : [written(quote.text, quote.trust)]),
    ...(bare ? [] : [written(own, wordsTrust)]),
    ...(shared === "" ? [] : [written(shared, "untrusted")]),
    ...(foreign.length === 0
      ? []
      : [
          {
            ...common,
            trust: "untrusted" as const,
            tokens: attachments.reduce((sum, each) => sum + each.tokens, frameTokens),
            content: foreign,
            attachments: attachments.map((each) => each.attachment),
          },
        ]),
  ];
}

/** What a message says itself; a forwarded one says that it is. */
export function ownWords(message: InboundMessage): string {
  const lines: string[] = [];
  if (message.forwarded) lines.push("[forwarded message, not the sender's own words]");
  if (message.text !== "") lines.push(message.text);
  else if (message.action !== undefined) lines.push(`[pressed: ${message.action}]`);
  return lines.join("\n");
}
