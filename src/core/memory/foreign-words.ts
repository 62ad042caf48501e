import { asksToRemember } from "./asks-to-remember.ts";
import { firstForeignMark, markOfALine } from "./foreign-marks.ts";
import { endOfIntroduction, isWish } from "./introductions.ts";
import { quotedStretch } from "./quotation.ts";
import { sentencesOf } from "./sentences.ts";

/**
 * Which of the words an owner typed or pasted are their own telling. Judged over a message as a whole:
 * of a quotation only the first sentence looks like one. By form alone, and in doubt they are somebody
 * else's: the transcript keeps them anyway, and nobody reads what is captured or dreamt before it counts.
 * For capture and dreaming alike; a message is read with its lines or, from a transcript, without.
 */
export interface Told {
  readonly text: string;
  /** Of the same length: what is quoted inside an own sentence is blanked out. */
  readonly own: string;
}

/** As long as what they stand for, so that places in the two texts are the same. */
const FOREIGN = "\uFFFD";
const QUOTED = "\uFFFB";
/** So short that it only names something. */
const NAME = "\uFFFC";

/** The owner's own sentences of a message, in order. Linear in its length. */
export function toldIn(message: string): Told[] {
  const masked = maskForeign(message);
  if (masked === message) return sentencesOf(message).map((text) => ({ text, own: text }));
  let from = 0;
  return sentencesOf(masked).flatMap((own) => {
    const at = masked.indexOf(own, from);
    from = at + own.length;
    return isTold(own) ? [{ text: message.slice(at, from), own }] : [];
  });
}

/** A message without what is foreign in it; as it stands if nothing is. */
export function toldText(message: string): string {
  if (!holdsForeign(message)) return message;
  return toldIn(message)
    .map(({ text }) => text)
    .join(" ");
}

/** Does the owner themselves ask for something to be kept, and not somebody they quote? */
export function wishesToKeep(message: string): boolean {
  if (!asksToRemember(message)) return false;
  return toldIn(message).some(({ own }) => asksToRemember(own));
}

/** Is any of it somebody else's, as far as its form can tell? */
export function holdsForeign(message: string): boolean {
  return maskForeign(message) !== message;
}

/** A name in quotation marks is part of a sentence; longer ones are so only where all else is a wish. */
const NAME_WORDS = 8;
const WISH_WORDS = 5;

function isTold(own: string): boolean {
  if (own.includes(FOREIGN)) return false;
  const outside = wordCount(own);
  if (outside === 0) return false;
  return !own.includes(QUOTED) || (asksToRemember(own) && outside <= WISH_WORDS);
}

function wordCount(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}

/** Whatever ends a line somewhere, without changing the length. */
function withLines(text: string): string {
  return text.replaceAll("\r\n", " \n").replace(/[\r\v\f\u0085\u2028\u2029]/g, "\n");
}

/** The message itself if nothing is foreign. */
function maskForeign(message: string): string {
  const lines = withLines(message);
  const until = firstOfTheRest(lines);
  const head = maskLines(lines.slice(0, until));
  const masked = quoted(head) + FOREIGN.repeat(lines.length - until);
  return masked === lines ? message : masked;
}

function quoted(text: string): string {
  const stretch = quotedStretch(text);
  if (!stretch) return text;
  let masked = "";
  let at = 0;
  for (const [from, to] of stretch.spans) {
    const isName = !stretch.whole && wordCount(text.slice(from, to)) <= NAME_WORDS;
    masked += text.slice(at, from) + (isName ? NAME : QUOTED).repeat(to - from);
    at = to;
  }
  return masked + text.slice(at);
}

const quoteMark = /^[\s\p{Cf}]*(?:[-*•] )?(?:[>|＞›┃│▌▍▎▏┆⎸❯]|&gt;|»(?=\s)|»(?!.*«))/u;

/** A marked line and what follows it up to an empty one: where a line was wrapped, only its first half is marked. */
function maskLines(text: string): string {
  let inside = false;
  return text
    .split("\n")
    .map((line) => {
      if (quoteMark.test(line)) inside = true;
      else if (line.trim() === "") inside = false;
      return inside ? FOREIGN.repeat(line.length) : line;
    })
    .join("\n");
}

/** From here to the end nothing is known to be the owner's; the length of the text = all of it may be. */
function firstOfTheRest(text: string): number {
  const found = [firstForeignMark(text), endOfIntroduction(text), lineInLine(text)];
  return Math.min(text.length, ...found.filter((at) => at >= 0));
}

/** "Remember that I prefer tea > coffee" quotes no line. */
function lineInLine(text: string): number {
  const at = text.includes("\n") ? -1 : markOfALine(text);
  if (at < 0 || !isWish(text, at)) return at;
  const rest = text.slice(at);
  return wordCount(rest) <= NAME_WORDS && !/[.!?。！？]\s*[\p{L}\p{N}]/u.test(rest) ? -1 : at;
}
