import { keepable } from "#kit/keepable.ts";
import { numberMask } from "#kit/personal-numbers.ts";
import { mask } from "#kit/secret-shape.ts";

/**
 * Takes facts out of running text: every sentence in which one stands word for word gives way to a mark. Whole
 * sentences, because "remember that [forgotten]" would still be a wish. Spaces, case, the form of quotation
 * marks, emphasis and links (in Markdown, HTML or as Slack has them) and the way Unicode spells a letter make
 * no difference, nor does what the memory makes of control characters and comment marks. A number is none
 * within another (8, 8:30). A fact of one word or a few letters is only found where it is all that a sentence
 * says, since it may be part of anything. Where the memory has kept a mark instead of a number or a secret, any
 * such number or secret in the text is meant.
 *
 * Texts are folded and searched, with no pattern made of what a person wrote: a fact may be of any length.
 */
export const FORGOTTEN = "[forgotten]";

export interface Forgetter {
  /** The text itself where nothing is found. */
  readonly forget: (text: string) => string;
  readonly finds: (text: string) => boolean;
}

export function createForgetter(facts: readonly string[]): Forgetter {
  const masked = facts.filter((fact) => fact.includes(numberMask) || fact.includes(mask));
  const plain = needlesOf([...facts, ...facts.map(keepable)]);
  const behindMasks = needlesOf(masked);
  function gone(text: string): readonly Span[] {
    const direct = sentencesSaying(text, plain);
    const behind = masked.length === 0 ? [] : sentencesMasked(text, behindMasks);
    return [...new Set([...direct, ...behind])].toSorted(([a], [b]) => a - b);
  }
  return {
    finds: (text) => gone(text).length > 0,
    forget(text) {
      const spans = gone(text);
      return spans.length === 0 ? text : withoutSentences(text, spans);
    },
  };
}

interface Needles {
  /** Looked for anywhere in a text. */
  readonly within: readonly string[];
  /** Of these only the beginning is known: the memory has cut them off, at worst inside of a word. */
  readonly cut: ReadonlySet<string>;
  /** Looked for as all that a sentence says. */
  readonly alone: ReadonlySet<string>;
}

function needlesOf(facts: readonly string[]): Needles {
  const known = [...new Set(facts.map((fact) => bare(folded(fact))))].filter((fact) => fact !== "");
  const cut = facts.filter((fact) => fact.length > LONG && fact.endsWith("…"));
  return {
    within: known.filter(isTelling),
    cut: new Set(cut.map((fact) => bare(folded(fact)))),
    alone: new Set(known),
  };
}

/** Nobody ends so long a sentence with an ellipsis of their own. */
const LONG = 500;

/** May it be looked for inside of other words? */
function isTelling(fact: string): boolean {
  const said = fact.replaceAll(numberMask, " ").replaceAll(mask, " ");
  const letters = said.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  if (/\p{Lo}/u.test(said)) return letters >= 4;
  const words = said.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  return (letters >= 8 && words >= 2) || (letters >= 6 && words >= 3);
}

/** Without what ends a sentence or stands around it. */
function bare(text: string): string {
  return text.replace(/^[\s"'(*_>「『-]+/u, "").replace(edgeAtEnd, "");
}

/** Looked for from its first character only, so that a long run is not gone through again and again. */
const edgeAtEnd = /(?<![\s.!?…。！？"')*_」』])[\s.!?…。！？"')*_」』]+$/u;

function folded(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFC")
    .replaceAll("ς", "σ")
    .replaceAll(/&(?:amp|lt|gt|quot|#39|apos);/g, (name) => named.get(name) ?? name)
    .replaceAll(/\[([^[\]]{1,200})\]\([^()\s]{1,300}\)|<[^<>|\s]{1,300}\|([^<>|]{1,200})>/g, "$1$2")
    .replaceAll(/<((?:https?|mailto):[^<>|\s]{1,300})>/g, "$1")
    .replaceAll(tag, "")
    .replaceAll(/[*`]+|(?<![\p{L}\p{N}_])_+|(?<!_)_+(?![\p{L}\p{N}_])/gu, "")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .replaceAll("<! --", "<!--")
    .replaceAll("-- >", "-->")
    .replaceAll(/[’‘‚´]/gu, "'")
    .replaceAll(/[“”„‟«»]/gu, '"');
}

/** Elements that channels and models write, and nothing in which somebody could say something. */
const tag =
  /<\/?(?:b|i|u|s|em|strong|del|ins|p|ul|ol|li|h[1-6]|a|span|code|pre|blockquote|tg-[a-z]{1,20})(?:\s[a-z-]{1,20}(?:="[^"<>]{0,400}")?)?>/g;
const named = new Map([
  ["&amp;", "&"],
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&#39;", "'"],
  ["&apos;", "'"],
]);

type Span = readonly [from: number, to: number];

function sentencesSaying(text: string, needles: Needles): readonly Span[] {
  return spansSaying(text, sentenceSpans(text), needles);
}

/** By what the text would be in the memory: a mark may be of another length, but parts no sentences. */
function sentencesMasked(text: string, needles: Needles): readonly Span[] {
  const kept = keepable(text);
  if (kept === text) return [];
  const inKept = sentenceSpans(kept);
  const found = new Set(spansSaying(kept, inKept, needles));
  if (found.size === 0) return [];
  const spans = sentenceSpans(text);
  if (spans.length !== inKept.length) return spans;
  return spans.filter((_span, index) => found.has(inKept[index] as Span));
}

function spansSaying(
  text: string,
  spans: readonly Span[],
  { within, cut, alone }: Needles,
): readonly Span[] {
  const whole = folded(text);
  const placeOf = (searched: string, needle: string, from: number) =>
    indexOfWords(searched, { needle, isCut: cut.has(needle) }, from);
  const near = within.filter((needle) => placeOf(whole, needle, 0) >= 0);
  const isNear = near.length > 0 || [...alone].some((needle) => whole.includes(needle));
  if (!isNear) return [];
  const said = joined(text, spans);
  const found = new Set<Span>(
    spans.filter(([from, to]) => alone.has(bare(folded(text.slice(from, to))))),
  );
  for (const needle of near) {
    let at = placeOf(said.text, needle, 0);
    // It is there and cannot be placed: rather too much than too little.
    if (at < 0) return spans;
    for (; at >= 0; at = placeOf(said.text, needle, at + 1)) {
      for (const index of said.overlapping(at, at + needle.length)) found.add(spans[index] as Span);
    }
  }
  return spans.filter((span) => found.has(span));
}

/** The folded sentences one after another, and where each of them begins. */
function joined(text: string, spans: readonly Span[]) {
  const starts: number[] = [];
  const parts: string[] = [];
  let length = 0;
  let last = 0;
  for (const [from, to] of spans) {
    const part = (from > last && last > 0 ? " " : "") + folded(text.slice(from, to));
    starts.push(length);
    parts.push(part);
    length += part.length;
    last = to;
  }
  return {
    text: parts.join(""),
    overlapping(from: number, to: number): number[] {
      let [low, high] = [0, starts.length];
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if ((starts[middle] ?? 0) <= from) low = middle;
        else high = middle;
      }
      const found: number[] = [];
      for (let index = low; index < starts.length && (starts[index] ?? to) < to; index += 1) {
        found.push(index);
      }
      return found;
    },
  };
}

/** Where the needle stands as words of its own; -1 = nowhere. Scripts without spaces have no such bounds. */
function indexOfWords(
  text: string,
  { needle, isCut }: { readonly needle: string; readonly isCut: boolean },
  from: number,
): number {
  const startsWord = /^[\p{Lu}\p{Ll}\p{N}]/u.test(needle);
  const endsWord = !isCut && /[\p{Lu}\p{Ll}\p{N}]$/u.test(needle);
  for (let at = text.indexOf(needle, from); at >= 0; at = text.indexOf(needle, at + 1)) {
    const end = at + needle.length;
    const before = startsWord && goesBefore.test(text.slice(Math.max(0, at - 3), at + 1));
    const after = endsWord && goesBehind.test(text.slice(end - 1, end + 3));
    if (!before && !after) return at;
  }
  return -1;
}

/** What makes another word of one: more letters, another part (Porto-Novo, C++), more of a number (8:30, 12.5). */
const goesBefore = /[\p{L}\p{N}].$|\p{L}-\p{L}$|\p{N}[.,:/-]\p{N}$/su;
const goesBehind = /^.(?:[\p{L}\p{N}\p{M}+#]|-\p{L})|^\p{N}[.,:/-]\p{N}/su;

function withoutSentences(text: string, gone: readonly Span[]): string {
  let kept = "";
  let at = 0;
  for (const [from, to] of gone) {
    const between = text.slice(at, from);
    kept += between.trim() === "" && kept.endsWith(FORGOTTEN) ? "" : `${between}${FORGOTTEN}`;
    at = to;
  }
  return kept + text.slice(at);
}

/** Without the spaces around them. An ending counts only before a space, so that `v1.2` is no end. */
export function sentenceSpans(text: string): Span[] {
  const spans: Span[] = [];
  for (const { index, 0: found } of text.matchAll(sentence)) {
    const start = index + (found.length - found.trimStart().length);
    const end = index + found.trimEnd().length;
    if (end > start) spans.push([start, end]);
  }
  return spans;
}

const sentence =
  /(?:[^.!?…。！？\n]|[.!?…](?=[^\s.!?…"”')\]]))+(?:[.!?…]+["”')\]]*|[。！？]+[」』”]*)?|[.!?…。！？]+/gu;
