import type { MemoryAnswer, MemoryRow } from "#contract/memory.ts";
import type { ToolOutcome } from "#contract/tool.ts";
import { isClean } from "#contract/transcript.ts";

/**
 * What was found in the memory, as a tool tells it: each row with its place, what somebody else wrote in
 * a frame, and never cut open in the middle.
 */
type Frame = (text: string, part: number) => string;

/** Less than a result may have. */
const MAX_CHARS = 13_000;

export function rowsOutcome({ rows, notices }: MemoryAnswer, frame: Frame): ToolOutcome {
  const shown = fitting(rows);
  const parts = shown.map((row, index) => `${headOf(row, index)}\n${bodyOf(row, index, frame)}`);
  if (parts.length === 0) parts.push("Nothing found.");
  if (shown.length < rows.length) parts.push(`[${rows.length - shown.length} more do not fit.]`);
  const text = [...parts, ...notices.map((notice) => `[${notice}]`)].join("\n\n");
  const untrusted = shown.some(isForeign);
  return { text, ...(untrusted ? { untrusted, framed: true } : {}) };
}

function headOf(row: MemoryRow, index: number): string {
  const { score, trust, date, signals } = row;
  const facts = [`score ${score.toFixed(2)}`, trust, ...(date === null ? [] : [date])];
  const named = Object.entries(signals ?? {}).map(([name, value]) => `${name} ${round(value)}`);
  const why = named.length === 0 ? "" : `\n   ${named.join(", ")}`;
  const place = hasForeignName(row) ? "at the place below" : placeOf(row);
  return `${index + 1}. ${place} (${facts.join(", ")})${why}`;
}

function bodyOf(row: MemoryRow, index: number, frame: Frame): string {
  // Else a piece of a line could pass for the beginning of another one.
  const text = row.midLine ? `… ${row.text}` : row.text;
  if (!isForeign(row)) return text;
  return frame(hasForeignName(row) ? `${placeOf(row)}\n${text}` : text, index);
}

function placeOf({ path, from, to }: MemoryRow): string {
  return `${path}:${from === to ? from : `${from}-${to}`}`;
}

/** As the product names its files; any other name may have been chosen by whoever wrote the row. */
const ownName = /^(?:[A-Z]+\.md|memory\/\d{4}-\d{2}-\d{2}(?:-[2-9])?\.md|sessions\/\S+)$/;

function hasForeignName(row: MemoryRow): boolean {
  return isForeign(row) && !ownName.test(row.path);
}

function isForeign({ trust }: MemoryRow): boolean {
  return !isClean(trust);
}

function fitting(rows: readonly MemoryRow[]): MemoryRow[] {
  let room = MAX_CHARS;
  return rows.filter((row) => {
    room -= row.text.length + 200;
    return room > 0;
  });
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
