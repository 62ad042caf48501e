/**
 * Patterns (regular expression sources) for the ways one configured secret may be spelled in a text: as
 * it is, wholly or partly percent-encoded, JSON-escaped, and in base64 at any of its three alignments
 * (so that `user:secret` in a Basic header is found as well). It does not search or mask; redact.ts does.
 * Trade-off: other encodings (hex, HTML entities, gzip) are not covered, because no code path of ours
 * makes them and every form costs time on every text.
 */

/** Shorter base64 would hit ordinary words. */
const shortestBase64 = 8;

/** Matches the secret where any of its characters may be percent-encoded or JSON-escaped. */
export function spellingPattern(secret: string): string {
  return Array.from(secret, characterPattern).join("");
}

/** Matches the base64 and base64url of the secret, whatever stands before and behind it. */
export function base64Patterns(secret: string): string[] {
  return [0, 1, 2]
    .map((shift) => base64Core(secret, shift))
    .filter((core) => core.length >= shortestBase64)
    .map((core) => core.replaceAll("+", "(?:\\+|-|%2[Bb])").replaceAll("/", "(?:/|_|%2[Ff])"));
}

function characterPattern(character: string): string {
  if (/[A-Za-z0-9]/.test(character)) return character;
  const forms = new Set([literal(character), percentPattern(character)]);
  if (character === " ") forms.add("\\+");
  const json = JSON.stringify(character).slice(1, -1);
  forms.add(literal(json));
  return `(?:${[...forms].join("|")})`;
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

function percentPattern(character: string): string {
  const bytes = new TextEncoder().encode(character);
  return Array.from(bytes, (byte) => `%${hexPattern(byte >> 4)}${hexPattern(byte & 15)}`).join("");
}

function hexPattern(digit: number): string {
  const lower = digit.toString(16);
  return digit < 10 ? lower : `[${lower}${lower.toUpperCase()}]`;
}

/** Base64 of the secret as it appears behind `shift` other bytes, without what those bytes touch. */
function base64Core(secret: string, shift: number): string {
  const bytes = new TextEncoder().encode("\0".repeat(shift) + secret);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  const start = Math.ceil((shift * 8) / 6);
  const end = Math.floor((bytes.length * 8) / 6);
  return btoa(binary).slice(start, end);
}
