import type { CuratedFile, DreamRecord, NightEvidence } from "#contract/dreaming.ts";
import { groupCandidates, shapeOf, similarity } from "./dedupe.ts";
import { type Judged, judge } from "./deep.ts";
import { cleanEvidence } from "./evidence.ts";
import { knownFrom } from "./known.ts";
import { parseMemoryFile } from "./memory-file.ts";
import { compareText } from "./days.ts";
import { type EarlierFile, takenOutBy } from "./taken-out.ts";

/** Why something is, or is not, promoted: the nearest candidates with every part and gate. */
export interface Explanation extends Judged {
  /** How near the candidate is to what was asked, 0 to 1. */
  readonly nearness: number;
}

export interface ExplainContext {
  readonly evidence: NightEvidence;
  readonly file: CuratedFile;
  readonly earlier?: readonly EarlierFile[];
  readonly record: DreamRecord;
  readonly today: string;
  readonly now: number;
}

/** Best first; empty when no candidate has a word in common. What the gate drops is not shown. */
export function explainPromotion(text: string, context: ExplainContext, limit = 3): Explanation[] {
  const asked = shapeOf(text);
  const { record, file, earlier = [], today, now } = context;
  const takenOut = takenOutBy(record, { file, earlier, now });
  const known = knownFrom(parseMemoryFile(file.lines), record.settled, takenOut);
  return groupCandidates(cleanEvidence(context.evidence))
    .map((candidate) => ({ candidate, nearness: similarity(asked, shapeOf(candidate.text)) }))
    .filter(({ nearness }) => nearness > 0)
    .toSorted(
      (first, second) =>
        second.nearness - first.nearness ||
        compareText(first.candidate.source, second.candidate.source),
    )
    .slice(0, limit)
    .map(({ candidate, nearness }) => ({
      ...judge(candidate, { today, signals: record.signals, known }),
      nearness,
    }));
}
