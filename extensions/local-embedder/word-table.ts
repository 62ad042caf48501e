import { err, ok, type Result } from "#contract/result.ts";

/**
 * 20,000 English words with a vector each, as they lie under assets/embeddings (its README has the
 * format). The bytes are used where they are: of two megabytes there is one copy.
 */
export interface WordTable {
  /** Word → its row. */
  readonly rows: ReadonlyMap<string, number>;
  /** How often a word is, as a share of all; by row. */
  readonly shares: Float64Array;
  readonly scales: Float32Array;
  /** `stride` bytes per row, of which the first four are the scale. */
  readonly bytes: Int8Array;
  /** What all words have in common, each as often as it is used: noise, taken from every vector. */
  readonly mean: Float64Array;
}

export const dimensions = 100;
export const stride = dimensions + 4;
export const scaleBytes = 4;

export const wordsAsset = "embeddings/words-20000.txt";
export const vectorsAsset = "embeddings/vectors-20000.bin";

export function readWordTable(words: ArrayBuffer, vectors: ArrayBuffer): Result<WordTable, string> {
  const lines = new TextDecoder().decode(words).trimEnd().split("\n");
  if (vectors.byteLength !== lines.length * stride) {
    return err(`assets/${vectorsAsset} does not fit assets/${wordsAsset}`);
  }
  const rows = new Map<string, number>();
  const shares = new Float64Array(lines.length);
  lines.forEach((line, row) => {
    const [word = "", rank = "none"] = line.split(" ");
    rows.set(word, row);
    // Zipf's law, with the offset by which it fits common words.
    shares[row] = 1 / (Number(rank) + 2.7);
  });
  const sum = shares.reduce((total, share) => total + share, 0);
  if (!Number.isFinite(sum)) return err(`assets/${wordsAsset} is damaged`);
  shares.forEach((share, row) => (shares[row] = share / sum));
  const scales = scalesOf(vectors, lines.length);
  const bytes = new Int8Array(vectors);
  const mean = meanOf({ shares, scales, bytes });
  if (mean.some((value) => !Number.isFinite(value)))
    return err(`assets/${vectorsAsset} is damaged`);
  return ok({ rows, shares, scales, bytes, mean });
}

function scalesOf(vectors: ArrayBuffer, count: number): Float32Array {
  const view = new DataView(vectors);
  return Float32Array.from({ length: count }, (_none, row) => view.getFloat32(row * stride, true));
}

function meanOf({ shares, scales, bytes }: Pick<WordTable, "shares" | "scales" | "bytes">) {
  const mean = new Float64Array(dimensions);
  for (let row = 0; row < shares.length; row += 1) {
    const weight = shares[row]! * scales[row]!;
    const start = row * stride + scaleBytes;
    for (let index = 0; index < dimensions; index += 1) {
      mean[index]! += weight * bytes[start + index]!;
    }
  }
  return mean;
}
