import type { Turn } from "#contract/turn.ts";
import { estimateTextMessage } from "#kit/tokens.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { appendEntry } from "./ingest.ts";

/** How many unaddressed group messages are kept as context for the next turn. */
export const OVERHEARD_LIMIT = 50;

/** What was said in the group since the last turn, as one entry each; inside a transaction. */
export function overheard(ports: SessionPorts, turn: Turn): void {
  const { inbox } = ports.store;
  const items = inbox.list("buffered", "message", 2 * OVERHEARD_LIMIT);
  for (const { message, receivedAt } of items.slice(-OVERHEARD_LIMIT)) {
    const said = [message.text, message.shared ?? ""].filter((part) => part !== "").join("\n");
    if (said === "") continue;
    const text = `[overheard] ${said}`;
    appendEntry(ports, {
      sessionId: turn.sessionId,
      turnId: turn.id,
      at: receivedAt,
      role: "user",
      trust: "untrusted",
      tokens: estimateTextMessage(text),
      content: [{ type: "text", text }],
      author: { name: message.sender.name, isOwner: message.sender.isOwner, showName: true },
    });
  }
  const seqs = items.map((item) => item.seq);
  // They are not what the turn answers: a retry of it must not take them up as such.
  inbox.mark(seqs, "done", null);
}
