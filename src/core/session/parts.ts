import { transcriptEntrySchema, type TranscriptEntry } from "#contract/transcript.ts";
import type { SessionPorts } from "#core/state/ports.ts";

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

/** Null: the header, or nothing of ours. */
function entryOf(line: string): TranscriptEntry | null {
  try {
    return transcriptEntrySchema.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
