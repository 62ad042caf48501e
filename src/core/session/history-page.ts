import type { HistoryLine, HistoryPage, HistoryRequest } from "#contract/session-rpc.ts";
import type { TranscriptEntry } from "#contract/transcript.ts";
import { redact } from "#kit/redact.ts";
import { guardName } from "#kit/text-guard.ts";
import { truncateText } from "#kit/text/graphemes.ts";
import { isMemoryOff, memoryFilter } from "#core/state/memory-switch.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { partEntries } from "./parts.ts";
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
  const entries = here.length > 0 ? here : await entriesAtHand(ports, before, limit);
  const lines = entries.filter(({ seq }) => isOn(seq)).flatMap(lineOf);
  const first = entries[0]?.seq;
  const { seq: goneTo, parts, latest } = putAwaySoFar(ports);
  const isEnd = first === undefined || first <= 1 || first === latest[0];
  const archived = isEnd && goneTo > 0 && parts > latest.length;
  return { lines, earlier: isEnd ? null : first, ...(archived ? { archived } : {}) };
}

/** The same of the last parts that were put away. */
async function entriesAtHand(
  ports: SessionPorts,
  before: number,
  limit: number,
): Promise<TranscriptEntry[]> {
  const first = putAwaySoFar(ports).latest.findLast((part) => part < before);
  if (first === undefined) return [];
  const entries = await partEntries(ports, first);
  return entries.filter(({ seq }) => seq < before).slice(-limit);
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
