import type { EntrySize } from "#contract/transcript.ts";

/**
 * Where a conversation is cut so that its newer part fits a budget. Cuts lie between turns only: a call
 * and its result are in one turn and so stay together, and a turn is kept whole or not at all. The last
 * turn is always kept, even when it alone is over the budget. It decides only; nothing is deleted.
 */
export interface TrimmedHistory {
  /** First entry to keep; null when there are no entries. */
  readonly fromSeq: number | null;
  /** Turns before it. */
  readonly leftOutTurns: number;
  /** Estimated tokens of what is kept. */
  readonly tokens: number;
}

/** Entries in order of `seq` → the longest run of whole turns at the end within `budget` tokens. */
export function trimHistory(entries: readonly EntrySize[], budget: number): TrimmedHistory {
  const starts = turnStarts(entries);
  let from = starts.at(-1) ?? 0;
  let tokens = sum(entries.slice(from));
  for (const start of starts.slice(0, -1).toReversed()) {
    const more = tokens + sum(entries.slice(start, from));
    if (more > budget) break;
    tokens = more;
    from = start;
  }
  // Entries without a turn count in pairs: what was said, and what was answered.
  const gone = entries.slice(0, from);
  const left = gone.flatMap(({ turnId }) => (turnId === null ? [] : [turnId]));
  const loose = Math.ceil((gone.length - left.length) / 2);
  return { fromSeq: entries[from]?.seq ?? null, leftOutTurns: new Set(left).size + loose, tokens };
}

/**
 * Positions where no turn is under way. Entries without a turn (messages sent from elsewhere) may lie
 * inside one; between turns they begin a piece of their own.
 */
function turnStarts(entries: readonly EntrySize[]): number[] {
  const last = new Map<string, number>();
  for (const [index, { turnId }] of entries.entries()) if (turnId !== null) last.set(turnId, index);
  const starts: number[] = [];
  let until = -1;
  for (const [index, { turnId, role }] of entries.entries()) {
    if (index > until && role !== "tool") starts.push(index);
    if (turnId !== null) until = Math.max(until, last.get(turnId) ?? index);
  }
  return starts;
}

function sum(entries: readonly EntrySize[]): number {
  return entries.reduce((total, { tokens }) => total + tokens, 0);
}
