import { transcriptEntrySchema, type TranscriptEntry } from "#contract/transcript.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { putAwaySoFar } from "./put-away.ts";

/**
 * Reads a part of the transcript that was put away. It lies where its owner can change it: what is no
 * entry is left out. Empty where there is no such part.
 */
export async function partEntries(
  { parts }: Pick<SessionPorts, "parts">,
  first: number,
): Promise<TranscriptEntry[]> {
  const text = (await parts.get(first)) ?? "";
  return text.split("\n").flatMap((line) => entryOf(line) ?? []);
}

/** Entries of a part at most: most are found by a single list. */
const NEAR = 500;
const FARTHER = 8;

/** The part that begins before an entry, the last of them. Storage lists forwards only. */
export async function partBefore(
  { parts, store }: Pick<SessionPorts, "parts" | "store">,
  before: number,
): Promise<number | undefined> {
  const { latest } = putAwaySoFar({ store });
  const known = latest.findLast((first) => first < before);
  if (known !== undefined) return known;
  for (let reach = NEAR; before > 1; reach *= FARTHER) {
    const from = Math.max(0, before - 1 - reach);
    const found = await lastPart(parts, from, before);
    if (found !== undefined || from === 0) return found;
  }
  return undefined;
}

async function lastPart(
  parts: SessionPorts["parts"],
  after: number,
  before: number,
): Promise<number | undefined> {
  let last: number | undefined;
  for (let from = after; ;) {
    const listed = await parts.list(from);
    const found = listed.filter((first) => first < before);
    last = found.at(-1) ?? last;
    if (last === undefined || found.length === 0 || found.length < listed.length) return last;
    from = last;
  }
}

/** Null: the header, or nothing of ours. */
function entryOf(line: string): TranscriptEntry | null {
  try {
    return transcriptEntrySchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
