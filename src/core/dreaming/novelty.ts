import type { DreamRecord } from "#contract/dreaming.ts";
import { sha256Hex } from "#kit/sha256.ts";
import type { CleanEvidence } from "./evidence.ts";
import { replacedBy } from "./known.ts";
import type { MemoryFile } from "./memory-file.ts";

/**
 * Whether there is anything to dream about that the last night did not have. Goes by what is there, not
 * by times: what was ingested late is new, and what has only become older is not.
 */
const minNew = 3;

export function seenIds({ lines, recalls }: CleanEvidence): string[] {
  return [...lines.map(({ source }) => lineId(source)), ...recallIds({ recalls })].toSorted();
}

export function noveltyOf(
  evidence: CleanEvidence,
  record: DreamRecord,
  file: MemoryFile,
): "none" | "little" | "enough" {
  const seen = new Set(record.seen);
  const lines = evidence.lines.filter(({ source }) => !seen.has(lineId(source)));
  const recalls = recallIds(evidence).filter((id) => !seen.has(id));
  if (lines.length + recalls.length === 0) return "none";
  const telling = lines.some((line) => {
    if (line.trust !== "owner") return false;
    const { source, day, at } = line;
    const said = { text: line.text, mentions: [{ source, day, at }] };
    return line.explicit || replacedBy(said, file.entries) !== null;
  });
  return telling || lines.length + recalls.length >= minNew ? "enough" : "little";
}

function recallIds({ recalls }: Pick<CleanEvidence, "recalls">): string[] {
  return [...recalls].flatMap(([source, list]) =>
    list.map(({ query, day }) => shortHash(`recall ${source} ${query} ${day}`)),
  );
}

function lineId(source: string): string {
  return shortHash(`line ${source}`);
}

function shortHash(text: string): string {
  return sha256Hex(text).slice(0, 12);
}
