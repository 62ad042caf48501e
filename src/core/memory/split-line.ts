import { wordCount } from "./keywords.ts";

/**
 * Cuts a line at the ends of its sentences into pieces of about thirty words. Together the pieces are
 * the line, character by character. A sentence without end is cut where it gets too long to show.
 */
export interface LinePiece {
  readonly text: string;
  /** What is searched: without list mark and time of day, and each with the name that speaks. */
  readonly said: string;
}

const PIECE_WORDS = 30;
const LONGEST_WORDS = 120;
const LONGEST_CHARACTERS = 700;

const sentenceEnd = /[.!?…]["'”’)\]]*\s+|[。！？]["'”’」』）]*\s*/gu;
/** Quote marks, list mark, box, time of day. */
const opening =
  /^[\s>]*(?:#{1,6}\s+)?(?:(?:[-*+]|\d{1,9}[.)])\s+)?(?:\[[ xX]\]\s+)?(?:\[?\d{1,2}:\d{2}\]?\s+)?/;
/** `Ada: …`, `Shopping list: …`: at most four words. */
const label = /^((?:[^\s:：]{1,24}[^\S\n]){0,3}[^\s:：]{1,24})[:：]\s/u;

export function splitLine(line: string): LinePiece[] {
  const start = opening.exec(line)?.[0].length ?? 0;
  const name = label.exec(line.slice(start))?.[1];
  let at = 0;
  return pack(sentences(line)).map((text) => {
    const said = (at < start ? text.slice(start - at) : text).trim();
    const first = at <= start;
    at += text.length;
    return { text, said: first || name === undefined ? said : `${name}: ${said}` };
  });
}

/** What is said: without what marks a line as a heading or an item of a list, or its time of day. */
export function spoken(text: string): string {
  return text.replace(opening, "").trim();
}

function sentences(line: string): string[] {
  const found: string[] = [];
  let from = 0;
  for (const end of line.matchAll(sentenceEnd)) {
    const to = end.index + end[0].length;
    found.push(line.slice(from, to));
    from = to;
  }
  if (from < line.length) found.push(line.slice(from));
  return found.flatMap(bounded);
}

function pack(parts: readonly string[]): string[] {
  const packed: string[] = [];
  let size = 0;
  for (const part of parts) {
    const weight = weightOf(part);
    const last = packed.at(-1);
    if (last !== undefined && size + weight <= PIECE_WORDS) {
      packed[packed.length - 1] = last + part;
      size += weight;
    } else {
      packed.push(part);
      size = weight;
    }
  }
  return packed;
}

/** In words; long runs of anything weigh something, too. */
function weightOf(part: string): number {
  if (part.trim() === "") return part.length / 40;
  return Math.max(wordCount(part), part.length / 10);
}

/** Cuts at spaces where there are some, and never inside a character. */
function bounded(sentence: string): string[] {
  if (sentence.length <= LONGEST_CHARACTERS && wordCount(sentence) <= LONGEST_WORDS) {
    return [sentence];
  }
  const cuts = sentence.match(/\s*\S{1,200}\s*/gu) ?? [sentence];
  return pack(cuts.flatMap(shortRuns));
}

/** A run without spaces counts as one word however long it is; each piece must fit a row. */
function shortRuns(text: string): string[] {
  return text.length <= 60 ? [text] : (text.match(/.{1,60}/gsu) ?? [text]);
}
