import type { InboxItem } from "#contract/inbox.ts";
import type { InboundMessage } from "#contract/message.ts";
import type { UserPart } from "#contract/model.ts";
import type { NewTranscriptEntry } from "#contract/transcript.ts";
import type { Turn } from "#contract/turn.ts";
import { estimateTokens } from "#kit/tokens.ts";
import type { SessionPorts } from "#core/session/ports.ts";
import { getSetting, setSetting } from "#core/session/settings.ts";
import { readAttachment, type ReadAttachment } from "./attachment.ts";

/**
 * Messages → transcript entries. Attachments are fetched first, outside any transaction, under keys
 * that depend only on the message: doing it twice stores the same bytes in the same place.
 */
export interface FetchedMessage {
  readonly item: InboxItem;
  readonly attachments: readonly ReadAttachment[];
}

export async function fetchAttachments(
  ports: SessionPorts,
  items: readonly InboxItem[],
): Promise<FetchedMessage[]> {
  return Promise.all(
    items.map(async (item) => ({
      item,
      attachments: await Promise.all(
        item.message.attachments.map((attachment, index) =>
          readAttachment(ports, item, attachment, index),
        ),
      ),
    })),
  );
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
    for (const entry of entriesOf(ports, turn, fetched)) appendEntry(ports, entry);
  }
  const last = messages.at(-1);
  if (last) setSetting(ports.store.settings, "lastUserMessageAt", last.item.receivedAt);
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
    tokens: estimateTokens(overflow) + 8,
    text: overflow,
  });
}

/** Appends one entry and keeps the running sum of what a request would carry. */
export function appendEntry(ports: SessionPorts, entry: NewTranscriptEntry): number {
  const { settings, transcript } = ports.store;
  setSetting(
    settings,
    "historyTokens",
    (getSetting(settings, "historyTokens") ?? 0) + Math.ceil(entry.tokens),
  );
  return transcript.append(entry);
}

/** Two entries where needed: what the owner wrote, and what merely came with it. */
function entriesOf(
  ports: SessionPorts,
  turn: Pick<Turn, "id" | "sessionId">,
  { item, attachments }: FetchedMessage,
): NewTranscriptEntry[] {
  const { message } = item;
  const own = ownWords(message);
  const foreign = attachments.flatMap((each) => each.parts);
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
  const entries: NewTranscriptEntry[] = [];
  if (own !== "" || foreign.length === 0) {
    const content: UserPart[] = [{ type: "text", text: own }];
    const trust = message.sender.isOwner && !message.forwarded ? "owner" : "untrusted";
    entries.push({ ...common, trust, tokens: estimateTokens(own) + 8, content });
  }
  if (foreign.length > 0) {
    entries.push({
      ...common,
      trust: "untrusted",
      tokens: attachments.reduce((sum, each) => sum + each.tokens, 8),
      content: foreign,
      attachments: attachments.map((each) => each.attachment),
    });
  }
  return entries;
}

/** The text of a message with what it answers; a forwarded one says so. */
function ownWords(message: InboundMessage): string {
  const lines: string[] = [];
  const { replyTo } = message;
  if (replyTo?.text) {
    const author = replyTo.fromSelf ? "you" : (replyTo.author ?? "someone");
    lines.push(`[in reply to ${author}: "${shorten(replyTo.text)}"]`);
  }
  if (message.forwarded) lines.push("[forwarded message, not the sender's own words]");
  if (message.text !== "") lines.push(message.text);
  else if (message.action !== undefined) lines.push(`[pressed: ${message.action}]`);
  return lines.join("\n");
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}
