import type { ScoredVector, SourceVectors } from "#contract/vector-store.ts";

/**
 * Vectors as signed bytes, many to one array: a quarter of the room, and the cosine moves by less than
 * a hundredth. Cosines are of the bytes as they are, so the rounding of a row's length cancels out.
 */
const STEPS = 127;

export interface UnpackedVector {
  readonly position: number;
  /** Of length 1, or a row that was packed before. */
  readonly vector: Float32Array | Int8Array;
}

/** Rows of a source for `SourceVectors`, ascending by position. */
export function packRows(
  vectors: readonly UnpackedVector[],
  dimensions: number,
): Pick<SourceVectors, "positions" | "data"> {
  const data = new Int8Array(vectors.length * dimensions);
  const sorted = vectors.toSorted((one, other) => one.position - other.position);
  sorted.forEach(({ vector }, row) => {
    if (vector instanceof Int8Array) data.set(vector, row * dimensions);
    else
      for (let index = 0; index < dimensions; index += 1) {
        data[row * dimensions + index] = Math.round(vector[index]! * STEPS);
      }
  });
  return { positions: sorted.map(({ position }) => position), data };
}

/** Bytes of one row; a view. */
export function rowAt(
  { data, dimensions }: Pick<SourceVectors, "data" | "dimensions">,
  row: number,
): Int8Array {
  return data.subarray(row * dimensions, (row + 1) * dimensions);
}

/** Bytes of one row as numbers that any measure of direction takes. */
export function rowValues(source: SourceVectors, row: number): number[] {
  return Array.from(rowAt(source, row));
}

/** Per row, what its dot product has to be multiplied by; 0 for a row without direction. */
export function inverseLengths(data: Int8Array, dimensions: number): Float32Array {
  const lengths = new Float32Array(dimensions === 0 ? 0 : Math.floor(data.length / dimensions));
  for (let row = 0; row < lengths.length; row += 1) {
    let sum = 0;
    for (let index = row * dimensions; index < (row + 1) * dimensions; index += 1) {
      sum += data[index]! * data[index]!;
    }
    lengths[row] = sum === 0 ? 0 : 1 / Math.sqrt(sum);
  }
  return lengths;
}

/** Sum of products of a query and the row that begins at `offset`. Four sums at once: half the time. */
export function dotRow(query: Float32Array, data: Int8Array, offset: number): number {
  const { length } = query;
  const even = length - (length % 4);
  let [first, second, third, fourth] = [0, 0, 0, 0];
  let index = 0;
  for (let at = offset; index < even; index += 4, at += 4) {
    first += query[index]! * data[at]!;
    second += query[index + 1]! * data[at + 1]!;
    third += query[index + 2]! * data[at + 2]!;
    fourth += query[index + 3]! * data[at + 3]!;
  }
  for (; index < length; index += 1) first += query[index]! * data[offset + index]!;
  return first + second + third + fourth;
}

/** Cosines of all rows of a source, or of those at some positions. `query` has length 1. */
export function cosinesOf(
  query: Float32Array,
  source: SourceVectors,
  wanted?: ReadonlySet<number>,
): ScoredVector[] {
  const lengths = inverseLengths(source.data, source.dimensions);
  return source.positions.flatMap((position, row) => {
    if (wanted && !wanted.has(position)) return [];
    const dot = dotRow(query, source.data, row * source.dimensions);
    return [{ sourceId: source.sourceId, position, score: clamp(dot * lengths[row]!) }];
  });
}

/** Rounding may carry a cosine past its ends. */
export function clamp(cosine: number): number {
  return Math.max(-1, Math.min(1, cosine));
}

/** A source whose parts do not fit each other, or that is of another embedder, cannot be searched. */
export function isWellFormed(
  source: SourceVectors,
  shape: { readonly model: string; readonly dimensions: number },
): boolean {
  return (
    source.model === shape.model &&
    source.dimensions === shape.dimensions &&
    source.data.length === source.positions.length * source.dimensions
  );
}
