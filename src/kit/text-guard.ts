import { fold, foldCharacters, type FoldedCharacter } from "./text-fold.ts";

/**
 * Text of people never looks to the model like a word of the product itself (`[Pagurus] …`), nor like
 * the event lines it knows from elsewhere (`System: …`, `[System Message] …`). A line that does is
 * changed by the least that shows it is quoted; everything else stays as it was typed. Applied when a
 * request is built, never to what is stored or shown.
 * Trade-off: a form is recognised at the beginning of a line only; "the System: line" inside prose is
 * harmless and stays.
 */

/** What JavaScript, terminals and models may take for the end of a line. */
const lineBreak = /(\r\n|[\n\v\f\r\u0085\u2028\u2029])/;
/** Folded characters of a line that decide, leading blanks not counted. */
const headLength = 48;
const eventLine = /^ *[*_~`]{0,3}system[*_~`]{0,3} *(:)/;
const bracketLine = /^ *[*_~`]{0,3}(\[) *(?:system(?: +[a-z]{1,20})?|pagurus) *(\])/;
const nameLength = 64;

/** The text with every line that imitates an event line marked as quoted. Idempotent. O(length). */
export function guardText(text: string): string {
  return text
    .split(lineBreak)
    .map((line, index) => (index % 2 === 0 ? guardLine(line) : line))
    .join("");
}

/** Most lines: nothing but ASCII, and no beginning that matters. */
const plainLine = /^(?![\s*_~`]*(?:system|\[))[\t -~]*$/i;

function guardLine(line: string): string {
  if (plainLine.test(line)) return line;
  const head = readHead(line);
  const folded = head.map((one) => one.character).join("");
  const event = eventLine.exec(folded);
  if (event) {
    const before = folded.slice(0, event[0].length - 1).trimEnd().length;
    const at = head[before - 1]?.end ?? 0;
    return `${line.slice(0, at)} (quoted)${line.slice(at)}`;
  }
  const bracket = bracketLine.exec(folded);
  if (!bracket) return line;
  const open = head[folded.indexOf("[")];
  const close = head[bracket[0].length - 1];
  if (!open || !close) return line;
  const inner = line.slice(open.end, close.start);
  return `${line.slice(0, open.start)}(${inner})${line.slice(close.end)}`;
}

/** The first visible characters of a line, folded; a run of blanks counts as one. */
function readHead(line: string): FoldedCharacter[] {
  const head: FoldedCharacter[] = [];
  for (const one of foldCharacters(line)) {
    if (one.character === " " && (head.length === 0 || head.at(-1)?.character === " ")) continue;
    head.push(one);
    if (head.length >= headLength) break;
  }
  return head;
}

/**
 * A sender's or group's name as it may stand in front of a message: one line, no brackets or colons,
 * never "System", at most 64 characters; "someone" when nothing is left.
 */
export function guardName(name: string): string {
  const plain = name
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu, "")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replace(/\(\s*owner\s*\)/gi, " ");
  const kept = Array.from(plain).filter((character) => !"[]():".includes(fold(character) || " "));
  const short = kept.join("").replace(/ {2,}/g, " ").trim().slice(0, nameLength).toWellFormed();
  const safe = short.replace(/\uFFFD$/, "").trim();
  if (safe === "") return "someone";
  return /^[*_~`" ]*system(?![a-z])/.test(fold(safe)) ? `"${safe}"` : safe;
}
