/**
 * All bytes of a body, or null when there are more than `limit`; the rest is then not read. What the
 * other side declares is believed only to refuse early. Rejects as reading the body does.
 */
export async function readBounded(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
  declared: string | null = null,
): Promise<Uint8Array | null> {
  if (!body) return new Uint8Array();
  const reader = body.getReader();
  if (Number(declared ?? 0) > limit) {
    await reader.cancel();
    return null;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > limit) {
      await reader.cancel();
      return null;
    }
    chunks.push(value);
  }
  return joinBytes(chunks, size);
}

/** Chunks of `size` bytes in all, as one array. */
export function joinBytes(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const only = chunks.length === 1 ? chunks[0] : undefined;
  if (only) return only;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
