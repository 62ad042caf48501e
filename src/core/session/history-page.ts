import type { HistoryLine, HistoryPage, HistoryRequest } from "#contract/session-rpc.ts";
import type { TranscriptEntry } from "#contract/transcript.ts";
import { redact } from "#kit/redact.ts";
import { guardName } from "#kit/text-guard.ts";
import { truncateText } from "#kit/text/graphemes.ts";
import { isMemoryOff, memoryFilter } from "#core/state/memory-switch.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { partBefore, partEntries } from "./put-away-parts.ts";
import { putAwaySoFar } from "./put-away.ts";

/**
 * A page of what was said here, for an owner's turn in another conversation: words of people and of the
 * assistant, redacted, without results of tools and contents of files. What is said with memory off stays
 * in its own conversation.
 */
const MOST = 50;
const LINE_LENGTH = 1_500;

export async function historyPage(
  ports: SessionPorts,
  request: HistoryRequest,
): Promise<HistoryPage | null> {
  if (isMemoryOff(ports)) return null;
  const isOn = memoryFilter(ports);
  const { transcript } = ports.store;
  const limit = Math.min(MOST, Math.max(1, request.limit));
  const before = request.before ?? transcript.latestSeq() + 1;
  const here = transcript.before(before, limit);
  const { entries, first } =
    here.length > 0 ? { entries: here, first: here[0]?.seq } : await archived(ports, before, limit);
  const lines = entries.filter(({ seq }) => isOn(seq)).flatMap(lineOf);
  const earlier = first === undefined || first <= 1 ? null : first;
  const isArchived = earlier !== null && earlier <= putAwaySoFar(ports).seq + 1;
  return { lines, earlier, ...(isArchived ? { archived: true } : {}) };
}

/** The same of what was put away, a part at most. `first`: where to go on before, also of a part that is damaged. */
async function archived(
  ports: SessionPorts,
  before: number,
  limit: number,
): Promise<{ readonly entries: readonly TranscriptEntry[]; readonly first: number | undefined }> {
  const part = await partBefore(ports, before);
  if (part === undefined) return { entries: [], first: undefined };
  const found = await partEntries(ports, part);
  const entries = found.filter(({ seq }) => seq < before).slice(-limit);
  return { entries, first: entries[0]?.seq ?? part };
}

function lineOf(entry: TranscriptEntry): HistoryLine[] {
  if (entry.role !== "user" && entry.role !== "assistant") return [];
  if (entry.role === "user" && entry.attachments !== undefined) return [];
  const said = entry.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  const text = truncateText(redact(said).trim(), LINE_LENGTH);
  if (text === "") return [];
  const { seq, at, trust } = entry;
  return [{ seq, at, trust, text, speaker: speakerOf(entry) }];
}

function speakerOf(entry: Extract<TranscriptEntry, { role: "user" | "assistant" }>): string {
  if (entry.role === "assistant") return "you";
  return entry.author.isOwner ? "owner" : guardName(entry.author.name);
}
