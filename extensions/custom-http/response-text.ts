/**
 * The text of an answer, up to a number of bytes; the rest is not even received. Says so when it cut.
 * Rejects as reading the body does.
 */
export async function readText(response: Response, maxBytes: number): Promise<string> {
  if (!response.body) return "";
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let text = "";
  let left = maxBytes;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    const chunk = value.subarray(0, left);
    left -= chunk.byteLength;
    // Streaming mode keeps back a character whose last bytes are missing; a cut one is dropped.
    text += decoder.decode(chunk, { stream: true });
    if (chunk.byteLength < value.byteLength) {
      await reader.cancel();
      return `${text}\n[… cut after ${maxBytes} bytes …]`;
    }
  }
}
