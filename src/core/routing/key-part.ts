import { sha256Hex } from "#kit/sha256.ts";

/**
 * One variable part of a session key (a peer, a job, …) as text without ":" or capitals, and back.
 * Letters, digits and `_ . @ + -` stay as they are; capitals become `^x`, everything else the percent
 * form of its UTF-8 bytes, so two different ids never meet. Trade-off: an id whose text would be too
 * long ends in a digest and cannot be read back; the id itself is kept beside the key, where it is
 * needed for calls.
 */
export type KeyPart = string | ShortenedPart;

/** What parsing returns for an id that was too long: fit for building the same key again. */
export interface ShortenedPart {
  readonly shortened: string;
}

/** Characters of one encoded part; with at most six parts a key stays far below 1,000 bytes. */
export const PART_LIMIT = 120;

const shortenedPattern = /^[a-z0-9_.@+^%-]*~[0-9a-f]{64}$/;
const headLength = PART_LIMIT - 65;

/** Ids that differ by case only are one id unless the channel says otherwise. */
export function encodePart(part: KeyPart, caseSensitiveIds: boolean): string {
  if (typeof part !== "string") return part.shortened;
  const text = caseSensitiveIds ? part : lowerCase(part);
  const encoded = Array.from(text, encodeCharacter).join("");
  if (encoded.length <= PART_LIMIT) return encoded;
  return `${encoded.slice(0, headLength)}~${sha256Hex(encoded)}`;
}

/** Null when the text is not what `encodePart` makes; some such texts are only found by encoding again. */
export function decodePart(encoded: string): KeyPart | null {
  if (encoded.includes("~")) {
    const valid = encoded.length === PART_LIMIT && shortenedPattern.test(encoded);
    return valid ? { shortened: encoded } : null;
  }
  try {
    return encoded.replace(
      /\^([a-z])|%u([0-9a-f]{4})|((?:%[0-9a-f]{2})+)/g,
      (_match, capital?: string, surrogate?: string, bytes?: string) => {
        if (capital !== undefined) return capital.toUpperCase();
        if (surrogate !== undefined) return String.fromCharCode(Number.parseInt(surrogate, 16));
        return decodeURIComponent(bytes ?? "");
      },
    );
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/** Lower case character by character: the result for one never depends on its neighbours. */
export function lowerCase(text: string): string {
  return Array.from(text, (character) => character.toLowerCase()).join("");
}

function encodeCharacter(character: string): string {
  if (/^[a-z0-9_.@+-]$/.test(character)) return character;
  if (/^[A-Z]$/.test(character)) return `^${character.toLowerCase()}`;
  // A lone surrogate has no UTF-8 form, yet ids that differ in one must not meet.
  if (/^[\uD800-\uDFFF]$/.test(character)) return `%u${character.charCodeAt(0).toString(16)}`;
  return percentEncode(character);
}

function percentEncode(character: string): string {
  const bytes = new TextEncoder().encode(character);
  return Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}
