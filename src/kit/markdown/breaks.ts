/**
 * The places where a document can be cut, and how good each is. Everything offered here is safe for
 * graphemes by construction (white space that nothing combines with, ends of CJK sentences, line ends
 * of code, edges of blocks); cutting inside a word is the caller's last resort. Offsets are those of
 * slice.ts. Sentence ends are guessed from punctuation: good enough to prefer, never relied on.
 */
import type { Block, Inline, TableRow } from "./document.ts";
import { inlineLength, inlineText } from "./inline.ts";
import { blockLength, itemLength, rowLength, tableRows } from "./slice.ts";

export interface Break {
  /** What comes before ends here … */
  readonly end: number;
  /** … and what comes after starts here; between them is nothing but white space. */
  readonly start: number;
  /** Higher is better: block > list item, row, inner block > line > sentence > space. */
  readonly rank: number;
}

export interface Leaf {
  readonly offset: number;
  readonly length: number;
  readonly isCode: boolean;
  text(): string;
}

const rank = { block: 6, inner: 5, line: 3, sentence: 2, space: 1 } as const;

/** What the character before would be torn from, or what would be torn from the character before. */
const combining = "\\p{Grapheme_Extend}\\p{Emoji_Modifier}\\p{Mc}\\u200d\\u0e33\\u0eb3";
const prepending =
  "\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u0d4e\\u{110bd}\\u{110cd}\\u{111c2}\\u{111c3}" +
  "\\u{113d1}\\u{1193f}\\u{11941}\\u{11a3a}\\u{11a84}-\\u{11a89}\\u{11d46}\\u{11f02}";
const whiteSpace = new RegExp(`(?<![${prepending}])\\s+(?![${combining}])`, "gu");
const fullWidthStop = new RegExp(
  `(?:[。！？｡]+[”’」』）】]*|[，、；：])(?![${combining}\\s])`,
  "gu",
);
const sentenceEnd = /[.!?…。！？]["'”’」』）)\]]*$/;

/** Stands for a rule, which has no text and cannot be cut. One unit, as in slice.ts. */
const ruleText = "—";

type Place = { readonly leaf: Leaf } | { readonly boundary: Break };

/** Every break up to `limit` that has something before it that is not empty, in order of leaves. */
export function findBreaks(blocks: readonly Block[], limit: number): Break[] {
  const breaks: Break[] = [];
  let contentStart = Infinity;
  for (const place of places(blocks, 0, 0)) {
    if ("boundary" in place) {
      if (place.boundary.end > limit) break;
      breaks.push(place.boundary);
    } else {
      if (place.leaf.offset > limit) break;
      if (place.leaf.length > 0) contentStart = Math.min(contentStart, place.leaf.offset);
      collectLeafBreaks(breaks, place.leaf, limit);
    }
  }
  return breaks.filter((candidate) => candidate.end > contentStart);
}

/** The last leaf with text that starts before `limit`; if there is none, the first after it. */
export function findLeaf(blocks: readonly Block[], limit: number): Leaf | null {
  let found: Leaf | null = null;
  for (const place of places(blocks, 0, 0)) {
    if ("boundary" in place || place.leaf.length === 0) continue;
    if (place.leaf.offset >= limit) return found ?? place.leaf;
    found = place.leaf;
  }
  return found;
}

function collectLeafBreaks(breaks: Break[], leaf: Leaf, limit: number): void {
  const text = leaf.text();
  const last = Math.min(limit - leaf.offset, text.length - 1);
  if (leaf.isCode) return collectLineEnds(breaks, { text, offset: leaf.offset, last });
  for (const match of text.matchAll(whiteSpace)) {
    if (match.index > last) break;
    const end = leaf.offset + match.index;
    breaks.push({ end, start: end + match[0].length, rank: whiteSpaceRank(text, match) });
  }
  for (const match of text.matchAll(fullWidthStop)) {
    const index = match.index + match[0].length;
    if (index > last) break;
    const end = leaf.offset + index;
    breaks.push({
      end,
      start: end,
      rank: /^[。！？｡]/.test(match[0]) ? rank.sentence : rank.space,
    });
  }
}

/** A code block is cut at line ends only, best before an empty line. */
function collectLineEnds(
  breaks: Break[],
  code: { readonly text: string; readonly offset: number; readonly last: number },
): void {
  let index = code.text.indexOf("\n");
  while (index >= 0 && index <= code.last) {
    const end = code.offset + index;
    const isBeforeEmptyLine = code.text[index + 1] === "\n";
    breaks.push({ end, start: end + 1, rank: isBeforeEmptyLine ? rank.line + 0.5 : rank.line });
    index = code.text.indexOf("\n", index + 1);
  }
}

function whiteSpaceRank(text: string, match: RegExpExecArray): number {
  if (match[0].includes("\n")) return rank.line;
  const before = text.slice(Math.max(match.index - 4, 0), match.index);
  return sentenceEnd.test(before) ? rank.sentence : rank.space;
}

function* places(blocks: readonly Block[], base: number, depth: number): Generator<Place> {
  let offset = base;
  for (const [index, block] of blocks.entries()) {
    yield* placesOfBlock(block, offset, depth);
    offset += blockLength(block);
    if (index < blocks.length - 1) yield boundary(offset, rankAfter(block, depth));
    offset += 1;
  }
}

function* placesOfBlock(block: Block, base: number, depth: number): Generator<Place> {
  switch (block.type) {
    case "paragraph":
    case "heading":
      return yield* textLeaf(block.content, base);
    case "code":
      return yield {
        leaf: { offset: base, length: block.text.length, isCode: true, text: () => block.text },
      };
    case "quote":
      return yield* places(block.children, base, depth + 1);
    case "list":
      return yield* spread(block.items, itemLength, {
        base,
        rank: rank.inner - (depth + 1) / 100,
        inside: (item, offset) => places(item.children, offset, depth + 2),
      });
    case "table":
      return yield* spread(tableRows(block), rowLength, {
        base,
        rank: rank.inner - (depth + 1) / 100,
        inside: placesOfRow,
      });
    case "rule":
      return yield { leaf: { offset: base, length: 1, isCode: false, text: () => ruleText } };
  }
}

function placesOfRow(row: TableRow, base: number): Generator<Place> {
  return spread(row, inlineLength, { base, rank: rank.space, inside: textLeaf });
}

function* textLeaf(content: Inline, offset: number): Generator<Place> {
  yield {
    leaf: { offset, length: inlineLength(content), isCode: false, text: () => inlineText(content) },
  };
}

interface Spread<T> {
  readonly base: number;
  /** Of the boundaries between neighbours. */
  readonly rank: number;
  inside(value: T, offset: number): Iterable<Place>;
}

function* spread<T>(
  values: readonly T[],
  lengthOf: (value: T) => number,
  how: Spread<T>,
): Generator<Place> {
  let offset = how.base;
  for (const [index, value] of values.entries()) {
    yield* how.inside(value, offset);
    offset += lengthOf(value);
    if (index < values.length - 1) yield boundary(offset, how.rank);
    offset += 1;
  }
}

function boundary(offset: number, quality: number): Place {
  return { boundary: { end: offset, start: offset, rank: quality } };
}

/** A heading is not left behind by what it announces. */
function rankAfter(block: Block, depth: number): number {
  if (block.type === "heading") return rank.space;
  return depth === 0 ? rank.block : rank.inner - depth / 100;
}
