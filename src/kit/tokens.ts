import type { ModelMessage } from "#contract/model.ts";

/**
 * Estimates of tokens without a tokenizer: four ASCII characters to a token; CJK, kana, Hangul and emoji
 * one each; two characters of other scripts to a token. Deliberately on the high side for everything
 * that is not English, so that budgets are kept; never used for billing.
 * Trade-off: up to a third off for dense code or Thai, but one pass, no tables, and the same everywhere.
 */
const asciiPerToken = 4;
const otherPerToken = 2;
/** Role, separators and JSON around one part of a message. */
const partOverhead = 4;
/** A picture or document of ordinary size, as providers count it. */
export const mediaTokens = 1600;
/** What goes around the one part of a message that has no more. */
export const frameTokens = 2 * partOverhead;

/** Estimated tokens of a text, rounded up. O(length). */
export function estimateTokens(text: string): number {
  let ascii = 0;
  let whole = 0;
  let other = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) {
      ascii++;
    } else if (isWholeToken(unit)) {
      whole++;
      // The second half of a surrogate pair is part of the same character.
      if (unit >= 0xd800 && unit <= 0xdbff) index++;
    } else {
      other++;
    }
  }
  return Math.ceil(ascii / asciiPerToken + other / otherPerToken) + whole;
}

/** UTF-16 units of scripts (or of surrogate pairs) that cost about a token a character, in order. */
const wholeTokenRanges = [
  [0x1100, 0x11ff], // Hangul jamo
  [0x2190, 0x2bff], // arrows, symbols, dingbats: the emoji below U+10000
  [0x2e80, 0xa4cf], // CJK, kana, bopomofo, Yi
  [0xa960, 0xa97f],
  [0xac00, 0xdfff], // Hangul syllables, surrogate pairs
  [0xf900, 0xfaff],
  [0xfe30, 0xfe4f],
  [0xff00, 0xffef],
] as const;

function isWholeToken(unit: number): boolean {
  for (const [first, last] of wholeTokenRanges) {
    if (unit < first) return false;
    if (unit <= last) return true;
  }
  return false;
}

/** Estimated tokens of a message that is one text. */
export function estimateTextMessage(text: string): number {
  return estimateTokens(text) + frameTokens;
}

/** Estimated tokens of one message, with what goes around its parts. */
export function estimateMessageTokens(message: ModelMessage): number {
  let total = partOverhead;
  if (message.role === "tool") {
    for (const result of message.results) {
      total += partOverhead + estimateTokens(result.callId + result.name + result.text);
    }
    return total;
  }
  for (const part of message.content) total += partOverhead + estimatePart(part);
  return total;
}

type Part = Exclude<ModelMessage, { role: "tool" }>["content"][number];

function estimatePart(part: Part): number {
  switch (part.type) {
    case "text":
      return estimateTokens(part.text);
    case "thinking":
      return estimateTokens(part.text + (part.redacted ?? ""));
    case "tool-call":
      return estimateTokens(part.id + part.name + part.arguments);
    case "image":
    case "file":
      return mediaTokens;
  }
}
