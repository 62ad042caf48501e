import type { TranscriptEntry } from "#contract/transcript.ts";
import type { Turn } from "#contract/turn.ts";
import type { OwnerWords } from "#contract/memory.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { getSetting } from "#core/state/settings.ts";

/** What an owner wrote in the messages of a turn: not forwarded, not quoted, not in a file. */
export function ownWordsOf(ports: SessionPorts, turn: Turn): OwnerWords[] {
  const ids = new Set([turn.id, ...(turn.detail.retries ?? [])]);
  const from = getSetting(ports.store.settings, "historyFrom") ?? 0;
  return ports.store.transcript
    .since(turn.sessionId, from)
    .filter((entry) => ids.has(entry.turnId ?? ""))
    .flatMap((entry) => ownWordsIn(ports.key, entry));
}

export function ownWordsIn(sessionKey: string, entry: TranscriptEntry): OwnerWords[] {
  if (entry.role !== "user" || entry.trust !== "owner" || !entry.author.isOwner) return [];
  const message = `${entry.sessionId}:${entry.seq}`;
  const origin = { trust: "owner" as const, session: sessionKey, message, at: entry.at };
  return entry.content.flatMap((part) =>
    part.type === "text" && part.text.trim() !== "" ? [{ text: part.text, origin }] : [],
  );
}
