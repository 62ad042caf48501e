/**
 * The record in which FTS5 keeps of what segments a table is made, as far as merging is concerned (its format 2,
 * the only one of tables without content). A segment covers a range of origins, which are counted up with each
 * write; a merge that is under way has its inputs, its output, and a level that counts the inputs.
 */
export interface Segments {
  /** First and last origin of each. */
  readonly origins: readonly (readonly [first: number, last: number])[];
  readonly isMerging: boolean;
}

const COOKIE_BYTES = 4;
const FORMAT_2 = [0xff, 0, 0, 1];
const COUNTS_OF_DELETED = 3;

/** Throws if it is no record of this format. One of no levels has none: nothing was ever written. */
export function readSegments(record: Uint8Array): Segments {
  if ((record[COOKIE_BYTES] ?? 0) === 0) return { origins: [], isMerging: false };
  const start = COOKIE_BYTES + FORMAT_2.length;
  if (FORMAT_2.some((byte, at) => record[COOKIE_BYTES + at] !== byte)) {
    throw new Error("what a full-text table is made of cannot be read");
  }
  const numbers = varints(record, start);
  const next = () => numbers.next().value ?? 0;
  const levels = next();
  const skip = (count: number) => {
    for (let skipped = 0; skipped < count; skipped += 1) next();
  };
  // All segments, and the writes so far.
  skip(2);
  const origins: [number, number][] = [];
  let isMerging = false;
  for (let level = 0; level < levels; level += 1) {
    isMerging = next() > 0 || isMerging;
    for (let segments = next(); segments > 0; segments -= 1) {
      // Its id, its first and its last page.
      skip(3);
      origins.push([next(), next()]);
      skip(COUNTS_OF_DELETED);
    }
  }
  return { origins, isMerging };
}

/** SQLite's numbers of one to nine bytes, of which only the ninth has eight bits. */
function* varints(bytes: Uint8Array, start: number): Generator<number, undefined> {
  let value = 0;
  let length = 0;
  for (const byte of bytes.subarray(start)) {
    length += 1;
    value = length === 9 ? value * 256 + byte : value * 128 + (byte & 0x7f);
    if (byte < 0x80 || length === 9) {
      yield value;
      value = 0;
      length = 0;
    }
  }
  return undefined;
}
