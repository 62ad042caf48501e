import { unitVector } from "#kit/vector/unit.ts";
import { stopWords } from "./stop-words.ts";
import { dimensions, scaleBytes, stride, type WordTable } from "./word-table.ts";

/**
 * The vector of a text: the sum of its words' vectors, rare words counting more (a smooth inverse
 * frequency), less what all words have in common. It knows nothing of word order, and of words it
 * does not know only their stem; a text without a known word has none.
 */
const SMOOTHING = 1e-3;

export function textVector(table: WordTable, text: string): Float32Array | null {
  const sum = new Float64Array(dimensions);
  let found = false;
  for (const word of wordsOf(text)) {
    if (stopWords.has(word)) continue;
    const row = rowOf(table, word);
    if (row === undefined) continue;
    addRow(sum, table, row);
    found = true;
  }
  return found ? unitVector(sum) : null;
}

function addRow(sum: Float64Array, table: WordTable, row: number): void {
  const weight = SMOOTHING / (SMOOTHING + table.shares[row]!);
  const scale = table.scales[row]!;
  const start = row * stride + scaleBytes;
  for (let index = 0; index < dimensions; index += 1) {
    sum[index]! += weight * (table.bytes[start + index]! * scale - table.mean[index]!);
  }
}

/** Runs of Latin letters, without accents; "ada's" is "ada". */
function wordsOf(text: string): string[] {
  const plain = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase();
  return (plain.match(/[a-z]+(?:['’][a-z]+)*/g) ?? []).map((word) => word.replace(/['’].*$/, ""));
}

const suffixes = ["ing", "ed", "es", "s", "ly"];
/** Shorter, it is another word. */
const MIN_STEM = 3;

function rowOf({ rows }: WordTable, word: string): number | undefined {
  const row = rows.get(word);
  if (row !== undefined) return row;
  for (const suffix of suffixes) {
    const stem = word.slice(0, -suffix.length);
    if (!word.endsWith(suffix) || stem.length < MIN_STEM) continue;
    const found = rows.get(stem);
    if (found !== undefined) return found;
  }
  return undefined;
}
