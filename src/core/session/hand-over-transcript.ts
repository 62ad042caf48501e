import type { TranscriptLine } from "#contract/memory.ts";
import type { TranscriptEntry } from "#contract/transcript.ts";
import { memoryIdentity } from "#core/agent/memory-access.ts";
import { memoryRules } from "#core/state/memory-rules.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { getSetting, setSetting } from "#core/state/settings.ts";
import { redact } from "#kit/redact.ts";
import { truncateText } from "#kit/text/graphemes.ts";
import { keptPages } from "./kept-entries.ts";

/**
 * Hands over what was said since the last time, over all resets: what people and the assistant wrote,
 * redacted, without results of tools (so nothing that was recalled comes back as new) and without the
 * contents of files. The watermark moves once a batch is taken; a batch that is sent twice is taken once.
 */
const BATCH_LINES = 50;
const LINE_LENGTH = 8_000;

export async function handOverTranscript(ports: SessionPorts): Promise<void> {
  const { settings, transcript } = ports.store;
  if (!getSetting(settings, "handOverDue")) return;
  const latest = transcript.latestSeq();
  const after = getSetting(settings, "handedSeq") ?? 0;
  for (const { entries, lastSeq } of keptPages(ports, after)) {
    for (const [identity, said] of byPerson(ports, entries)) {
      const lines = said.flatMap((entry) => lineOf(ports.key, entry));
      for (let from = 0; from < lines.length; from += BATCH_LINES) {
        const batch = lines.slice(from, from + BATCH_LINES);
        await ports.agent.memory.ingest({ sessionKey: ports.key, identity, lines: batch });
      }
    }
    setSetting(settings, "handedSeq", lastSeq);
  }
  if (transcript.latestSeq() !== latest) return;
  settings.delete("handOverDue");
  setSetting(settings, "memoryBacklog", { lines: 0, chars: 0 });
}

/** Several owners may write in one conversation; what is nobody's is left out. */
function byPerson(
  ports: SessionPorts,
  entries: readonly TranscriptEntry[],
): Map<string, TranscriptEntry[]> {
  const people = new Map<string, TranscriptEntry[]>();
  const identities = new Map<string, string | null>();
  for (const entry of entries) {
    const turnId = entry.turnId ?? "";
    if (!identities.has(turnId)) identities.set(turnId, identityOf(ports, turnId));
    const identity = identities.get(turnId) ?? null;
    if (identity !== null) people.set(identity, [...(people.get(identity) ?? []), entry]);
  }
  return people;
}

function identityOf(ports: SessionPorts, turnId: string): string | null {
  const turn = ports.store.turns.get(turnId);
  return turn ? memoryIdentity(memoryRules(ports, turn.detail.route), turn.detail) : null;
}

function lineOf(sessionKey: string, entry: TranscriptEntry): TranscriptLine[] {
  if (entry.role !== "user" && entry.role !== "assistant") return [];
  // A file's content is no part of what was said.
  if (entry.role === "user" && entry.attachments !== undefined) return [];
  const said = entry.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  const text = truncateText(redact(said).trim(), LINE_LENGTH);
  if (text === "") return [];
  const id = `${entry.sessionId}:${entry.seq}`;
  const { role, trust, at } = entry;
  return [{ id, role, text, origin: { trust, session: sessionKey, message: id, at } }];
}
