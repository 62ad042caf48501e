/**
 * The words by which a model says "send nothing": NO_REPLY and HEARTBEAT_OK. Recognises them alone or
 * dressed up (bold, code, HTML, a stop, a "[bot]" in front), and takes them off answers that carry them
 * beside real text. It does not decide what a caller does with silence, and a word inside a sentence is
 * an ordinary word (except in a heartbeat, where it is always the signal).
 */
const words = ["NO_REPLY", "HEARTBEAT_OK"];
/** With a control word, a heartbeat's text up to this length (UTF-16 units) is small talk. */
const heartbeatRemainder = 300;
/** No dressed-up control word is longer. */
const longestDressed = 1000;

const dress =
  /<\/?[a-z][a-z0-9]{0,15}(?:\s[^<>]{0,60})?\/?>|&(?:nbsp|lt|gt|quot|amp);|[^\p{L}\p{N}_]/giu;
/** "[bot] ", "bot: ": what some setups put in front of every answer. */
const speaker = /^[\s*_`~>]{0,8}(?:\[[^\]\n]{1,40}\]|[\w-]{1,20}:)(?=[\s*_`~<>"'([NHnh])/;
const anyWord =
  /[*_~`"'([]{0,4}(?<![A-Z0-9])(?:NO_REPLY|HEARTBEAT_OK)(?![A-Z0-9])[*_~`"')\]]{0,4}[.!,;:]?/gi;
/** The cut-off end of an HTML tag or entity. */
const unfinished = /<[^<>\n]{0,60}$|&[a-z]{0,5}$/i;
/** A beginning that may be a speaker's label. */
const firstWord = /^[\s*_`~>]{0,8}(?:\[[^\]\n]{0,40}\]?|[\w-]{1,20}:?)?$/;
/** Alone on a line, not in code. */
const loneLine = /^[ \t>*_~]*(?:NO\\?_REPLY|HEARTBEAT\\?_OK)[ \t*_~.!]*$/i;

/** Is the whole text nothing but control words? */
export function isControlMessage(text: string): boolean {
  return isControlSequence(undress(text), false);
}

/** May this beginning of a text still turn out to be nothing but control words? */
export function mayBecomeControlMessage(start: string): boolean {
  const text = start.trim().replace(unfinished, "");
  return (
    text.length <= longestDressed &&
    (firstWord.test(text) || isControlSequence(undress(text), true))
  );
}

/** The text without a control word standing alone in its first or last lines. */
export function stripEdgeControlLines(text: string, lastLineIsCode: boolean): string {
  const lines = text.split("\n");
  let first = 0;
  let last = lines.length;
  while (first < last && isDroppable(lines[first])) first++;
  while (!lastLineIsCode && first < last && isDroppable(lines[last - 1])) last--;
  return lines.slice(first, last).join("\n");
}

/** What a heartbeat's answer comes to: null = all is quiet, else the text to send. */
export function heartbeatText(text: string): string | null {
  const bare = text.replace(/(NO|HEARTBEAT)\\_(REPLY|OK)/g, "$1_$2");
  const rest = bare.replace(anyWord, "");
  if (rest === bare) return text.trim() === "" ? null : text;
  const said = rest
    .replace(speaker, "")
    .replace(/<\/?[a-z][^<>]{0,60}>/gi, "")
    .trim();
  return said.length <= heartbeatRemainder ? null : rest.trim();
}

function isDroppable(line: string | undefined): boolean {
  return line !== undefined && (line.trim() === "" || loneLine.test(line));
}

function undress(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length > longestDressed) return trimmed;
  return trimmed
    .replaceAll("\\_", "_")
    .replace(speaker, "")
    .replace(dress, "")
    .replace(/^_+|_+$/g, "")
    .toUpperCase();
}

/** One or more control words in a row; `open` = the last may be unfinished, or all may be missing. */
function isControlSequence(bare: string, open: boolean): boolean {
  let rest = bare;
  for (let word = leading(rest); word !== undefined; word = leading(rest)) {
    rest = rest.slice(word.length).replace(/^_+/, "");
  }
  if (rest === "") return open || bare !== "";
  return open && words.some((word) => word.startsWith(rest.replace(/_+$/, "")));
}

function leading(text: string): string | undefined {
  return words.find((word) => text.startsWith(word));
}
