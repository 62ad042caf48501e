import type { InboundMessage } from "#contract/message.ts";
import type { AssistantPart } from "#contract/model.ts";
import type { Trust } from "#contract/transcript.ts";
import type { Turn } from "#contract/turn.ts";
import { truncateText } from "#kit/text/graphemes.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { getSetting } from "#core/state/settings.ts";

/** The words a message answers; "" = none. */
export function quotedWords({ replyTo }: InboundMessage): string {
  if (!replyTo?.text) return "";
  const author = replyTo.fromSelf ? "you" : (replyTo.author ?? "someone");
  return `[in reply to ${author}: "${shorten(replyTo.text)}"]`;
}

/**
 * A quote is as trusted as what it quotes. The assistant's own words may have been written under the
 * influence of anything: only those that stand in the present window as its own free words count as such.
 */
export function quoteTrust(
  ports: SessionPorts,
  { sessionId }: Pick<Turn, "sessionId">,
  { replyTo }: InboundMessage,
): Trust {
  return replyTo?.fromSelf ? ownWordTrust(ports, sessionId, replyTo.text ?? "") : "untrusted";
}

/**
 * The words of a message itself: `owner` only for what an owner wrote. The label of a button they pressed
 * was the assistant's choice, and so is as trusted as if they quoted it.
 */
export function wordTrust(
  ports: SessionPorts,
  { sessionId }: Pick<Turn, "sessionId">,
  { sender, forwarded, action, text }: InboundMessage,
): Trust {
  if (!sender.isOwner || forwarded) return "untrusted";
  return action === undefined ? "owner" : ownWordTrust(ports, sessionId, text || action);
}

function ownWordTrust(ports: SessionPorts, sessionId: string, text: string): Trust {
  const quoted = bare(text);
  // Signs alone would stand in every text.
  if (quoted === "") return "untrusted";
  const from = getSetting(ports.store.settings, "historyFrom") ?? 0;
  const isOwn = ports.store.transcript
    .since(sessionId, from)
    .some(
      (entry) =>
        entry.role === "assistant" &&
        entry.trust === "agent" &&
        entry.content.some((part) => bare(saidBy(part)).includes(quoted)),
    );
  return isOwn ? "agent" : "untrusted";
}

/** Words of its own also stand in calls: a question it asked, a message it sent. */
function saidBy(part: AssistantPart): string {
  if (part.type === "text") return part.text;
  return part.type === "tool-call" ? part.arguments : "";
}

/** Letters and digits only: platforms show words without the marks they were written with. */
function bare(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, "");
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 300 ? `${truncateText(line, 300)}…` : line;
}
