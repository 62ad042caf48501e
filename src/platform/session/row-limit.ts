/** Production refuses rows over 2 MB, the local runtime does not: this is where we do. */
export const ROW_LIMIT_BYTES = 1_900_000;

export class RowTooLarge extends Error {
  constructor(what: string, size: number) {
    super(`${what} of ${size} bytes does not fit a row of ${ROW_LIMIT_BYTES}`);
    this.name = "RowTooLarge";
  }
}

/**
 * Throws RowTooLarge for a value whose JSON may exceed the limit. Lengths are compared first, since
 * a UTF-16 unit is at most three bytes of UTF-8.
 */
export function guardRow<T>(what: string, value: T): T {
  const text = JSON.stringify(value) ?? "";
  if (text.length * 3 <= ROW_LIMIT_BYTES) return value;
  const size = new TextEncoder().encode(text).byteLength;
  if (size > ROW_LIMIT_BYTES) throw new RowTooLarge(what, size);
  return value;
}
