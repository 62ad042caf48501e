/**
 * Bytes → standard base64, for files inside a request. Works in pieces, because spreading a large array
 * into String.fromCharCode overflows the stack. Not for secrets or URLs (no URL alphabet).
 */
const pieceBytes = 0x6000; // A multiple of 3, so that pieces join without padding.

/** Standard alphabet, padded. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += pieceBytes) {
    text += btoa(String.fromCharCode(...bytes.subarray(start, start + pieceBytes)));
  }
  return text;
}
