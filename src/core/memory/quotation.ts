/**
 * Where a text quotes by marks. Which mark opens and which closes differs from language to language and
 * can be chosen by whoever wrote what is quoted, so pairs are believed only within one sentence: if one
 * ends between the first mark and the last, all between them is quoted, and if a mark is left over, all
 * behind the first. Linear in the length of the text.
 */
export interface Quotation {
  /** A sentence ends in it, or which marks are a pair cannot be told: one stretch. */
  readonly whole: boolean;
  /** From and to, with the marks. */
  readonly spans: readonly (readonly [number, number])[];
}

/** Not ’ alone, which is an apostrophe. */
const mark =
  /&quot;|''|(?<=^|\s),,(?=\p{L})|<<(?=\S)|(?<=\S)>>|["“”„‟«»‹›「」『』〝〞＂❝❞《》〈〉`]|[‘‚]|(?<=^|[\s([:,;])['´](?=\p{L})/gu;
/** What may close a single one. */
const closer = /[’'´‘](?!\p{L})/gu;
const sentenceEnd = /[.!?…](?=\s|["“”„‟«»‹›」』`’']|$)|[。！？\n]/u;

/** Of one message: more are no names in somebody's sentence. */
const MOST_MARKS = 100;

export function quotedStretch(text: string): Quotation | null {
  const found = marksIn(text);
  const isTooMuch = found.length > MOST_MARKS;
  const marks = isTooMuch ? found : withoutInches(text, found);
  const first = marks[0]?.index;
  if (first === undefined) return null;
  const places = marks.filter(({ sign }) => !isSingle(sign));
  if (isTooMuch || places.length % 2 === 1) return { whole: true, spans: [[first, text.length]] };
  const end = places.length < marks.length ? endOfSingle(text, marks) : endOf(places.at(-1));
  if (end === null) return null;
  const whole = sentenceEnd.test(text.slice(first, end));
  const apart = !whole && places.length === marks.length;
  return { whole, spans: apart ? pairs(places) : [[first, end]] };
}

interface Mark {
  readonly sign: string;
  readonly index: number;
}

/** One more than the most, if there are more. */
function marksIn(text: string): Mark[] {
  const marks: Mark[] = [];
  for (const { 0: sign, index } of text.matchAll(mark)) {
    marks.push({ sign, index });
    if (marks.length > MOST_MARKS) break;
  }
  return marks;
}

/** Null: an opening ' or ´ that nothing closes is an apostrophe ('til). */
function endOfSingle(text: string, marks: readonly Mark[]): number | null {
  const first = marks[0]?.index ?? 0;
  const closing = lastCloser(text, first);
  if (closing === null && marks.every(({ sign }) => /^['´]$/.test(sign))) return null;
  const others = marks.filter(({ sign }) => !isSingle(sign));
  const last = Math.max(closing === null ? 0 : closing + 1, endOf(others.at(-1)));
  return last > first + 1 ? last : text.length;
}

/** A mark behind a digit, with no letter behind it and while nothing is quoted, measures: 6'2", 6’2”. */
function withoutInches(text: string, marks: readonly Mark[]): Mark[] {
  let open = false;
  return marks.filter(({ sign, index }) => {
    const measures =
      !open &&
      /^(?:["”]|'')$/.test(sign) &&
      /\d/.test(text.charAt(index - 1)) &&
      !/[\p{L}\p{N}]/u.test(text.charAt(index + sign.length));
    if (!measures) open = !open;
    return !measures;
  });
}

function isSingle(sign: string): boolean {
  return /^[‘‚'´]$/.test(sign);
}

function lastCloser(text: string, first: number): number | null {
  const found = [...text.slice(first + 1).matchAll(closer)].at(-1);
  return found ? first + 1 + found.index : null;
}

function endOf(mark: Mark | undefined): number {
  return mark ? mark.index + mark.sign.length : 0;
}

function pairs(places: readonly Mark[]): (readonly [number, number])[] {
  const spans: (readonly [number, number])[] = [];
  for (let at = 0; at + 1 < places.length; at += 2) {
    spans.push([places[at]?.index ?? 0, endOf(places[at + 1])]);
  }
  return spans;
}
