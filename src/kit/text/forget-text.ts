/**
 * Takes facts out of running text: every sentence in which one stands word for word gives way to a mark.
 * Whole sentences, because "remember that [forgotten]" would still be a wish. Spaces, case and the form of
 * quotation marks make no difference; a fact of one word or a few letters is only found where it is all
 * that is said, since it may be part of anything.
 */
export const FORGOTTEN = "[forgotten]";

export interface Forgetter {
  /** The text itself where nothing is found. */
  readonly forget: (text: string) => string;
  readonly finds: (text: string) => boolean;
}

export function createForgetter(facts: readonly string[]): Forgetter {
  const known = [...new Set(facts.map(bare))].filter((fact) => fact !== "");
  const telling = known.filter(isTelling).map(patternOf);
  const whole = new Set(known.map(folded));
  const isWhole = (text: string) => text.length < 400 && whole.has(folded(bare(text)));
  return {
    finds: (text) => isWhole(text) || telling.some((pattern) => text.search(pattern) >= 0),
    forget(text) {
      if (isWhole(text)) return FORGOTTEN;
      const found = telling.flatMap((pattern) =>
        [...text.matchAll(pattern)].map(({ index, 0: match }) => [index, index + match.length]),
      );
      return found.length === 0 ? text : withoutSentences(text, found as [number, number][]);
    },
  };
}

/** May it be looked for inside of other words? */
export function isTelling(fact: string): boolean {
  const letters = fact.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  const words = fact.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  return /\p{Lo}/u.test(fact) ? letters >= 4 : letters >= 8 && words >= 2;
}

/** Without what ends a sentence, which may stand there or not. */
function bare(text: string): string {
  return text
    .normalize("NFC")
    .trim()
    .replace(/[.!?…。！？\s]+$/u, "");
}

function folded(text: string): string {
  return text
    .replaceAll(/\s+/gu, " ")
    .replaceAll(/[’‘]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .toLowerCase();
}

function patternOf(fact: string): RegExp {
  const source = folded(fact)
    .replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
    .replaceAll(/\s+/g, String.raw`\s+`)
    .replaceAll("'", "['’‘]")
    .replaceAll('"', '["“”]');
  const [first = ""] = fact;
  const last = Array.from(fact).at(-1) ?? "";
  const before = isAlphabetic(first) ? String.raw`(?<![\p{L}\p{N}])` : "";
  const after = isAlphabetic(last) ? String.raw`(?![\p{L}\p{N}])` : "";
  return new RegExp(before + source + after, "giu");
}

/** Of a script in which words are set apart. */
function isAlphabetic(character: string): boolean {
  return /[\p{Lu}\p{Ll}\p{N}]/u.test(character);
}

type Span = readonly [from: number, to: number];

function withoutSentences(text: string, found: readonly Span[]): string {
  const gone = sentencesOf(text).filter(([from, to]) =>
    found.some(([start, end]) => start < to && end > from),
  );
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
export function sentencesOf(text: string): Span[] {
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
