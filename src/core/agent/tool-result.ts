import { estimateTokens } from "#kit/tokens.ts";

/**
 * Bounds the text of one fresh tool result: what the model can fetch again need not fill its window.
 * The head is kept; the tail only when it holds an error, since that is where programs say what went
 * wrong. Not for old results, which are trimmed when a request is built.
 */
const maxCharacters = 16_000;
const windowShare = 0.3;
const headAtLeast = 2_000;
const tailShare = 0.3;
/** Where an error is looked for, at the end of the text. */
const tailScan = 2_000;
const errorWord =
  /(?:error|exception)\b|\b(?:errno|fail(?:ed|ure)?|fatal|panic|traceback|denied|refused|timed out)\b|错误|失败/i;
const markerRoom = 80;

/**
 * The text within 16,000 characters and 30 % of the window (tokens), but never with less than its first
 * 2,000 characters. What was cut is said where it was.
 */
export function limitToolResult(text: string, contextWindow: number, isError = false): string {
  return cut(text, characterLimit(text, contextWindow), isError);
}

interface Said {
  readonly text: string;
  readonly isError: boolean;
}

/**
 * The texts of one batch within `room` characters together: short ones stay whole, long ones share what
 * is left. So no number of calls makes a batch that cannot be stored or sent.
 */
export function shareRoom(results: readonly Said[], room: number): string[] {
  let left = room;
  let cap = Number.POSITIVE_INFINITY;
  const lengths = results.map(({ text }) => text.length).toSorted((a, b) => a - b);
  for (const [index, length] of lengths.entries()) {
    const share = Math.floor(left / (lengths.length - index));
    if (length > share) {
      cap = share;
      break;
    }
    left -= length;
  }
  return results.map(({ text, isError }) => cut(text, cap, isError));
}

function cut(text: string, limit: number, isError: boolean): string {
  if (text.length <= limit) return text;
  const room = Math.max(0, limit - markerRoom);
  const wantsTail = isError || errorWord.test(text.slice(-tailScan));
  const tailLength = wantsTail ? Math.min(Math.floor(room * tailShare), room - headAtLeast) : 0;
  const head = cutEnd(text, room - Math.max(0, tailLength));
  const tail = tailLength > 0 ? cutStart(text, tailLength) : "";
  const count = text.length - head.length - tail.length;
  const marker = `[… ${count.toLocaleString("en-US")} of ${text.length.toLocaleString("en-US")} characters cut …]`;
  return `${head}\n${marker}${tail === "" ? "" : `\n${tail}`}`;
}

function characterLimit(text: string, contextWindow: number): number {
  const tokens = estimateTokens(text);
  const allowed = contextWindow * windowShare;
  const fitting = tokens <= allowed ? text.length : Math.floor((text.length * allowed) / tokens);
  return Math.max(headAtLeast + markerRoom, Math.min(maxCharacters, fitting));
}

/** The first characters, without half a surrogate pair, ending with a line where one ends nearby. */
function cutEnd(text: string, length: number): string {
  const whole = isLowSurrogate(text, length) ? length + 1 : length;
  const newline = text.lastIndexOf("\n", whole - 1);
  const near = newline >= whole - 200 && newline >= headAtLeast;
  return text.slice(0, near ? newline : whole);
}

function cutStart(text: string, length: number): string {
  const start = text.length - length;
  const whole = isLowSurrogate(text, start) ? start + 1 : start;
  const newline = text.indexOf("\n", whole);
  return text.slice(newline !== -1 && newline < whole + 200 ? newline + 1 : whole);
}

function isLowSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff;
}
