import { truncateText } from "./graphemes.ts";

/**
 * Sizes as storage counts them: a value written as JSON in UTF-8. A Chinese character takes three bytes
 * of it and a control character six, so the length of a text says little.
 */
const encoder = new TextEncoder();

export function jsonBytes(value: unknown): number {
  return encoder.encode(JSON.stringify(value) ?? "").byteLength;
}

/** The longest beginning of `text` that cuts no grapheme and is at most `limit` bytes as JSON. */
export function truncateToBytes(text: string, limit: number): string {
  // Every unit takes a byte at least, so no more of the text needs a look.
  let fits = 0;
  let over = Math.min(text.length, limit) + 1;
  while (over - fits > 1) {
    const middle = Math.floor((fits + over) / 2);
    if (jsonBytes(beginning(text, middle)) <= limit) fits = middle;
    else over = middle;
  }
  return truncateText(text, fits);
}

/** Half a pair would count for more than the whole of it. */
function beginning(text: string, length: number): string {
  const splits = length > 0 && (text.codePointAt(length - 1) ?? 0) > 0xffff;
  return text.slice(0, splits ? length - 1 : length);
}
