import { functionWords } from "#kit/text/stop-words.ts";
import { bigramsOf, segmentedWords } from "#kit/text/words.ts";

/**
 * Words as the index has them. SQLite's tokenizer takes a run of Chinese, Japanese or Korean for one
 * word, so such runs become pairs of neighbouring characters and single ones, here and in questions
 * alike; scripts that set no spaces between words otherwise (Thai, Lao, Khmer, Burmese) are segmented.
 * Everything else is left to that tokenizer, which knows letters, case, accents and English endings.
 */
const CJK = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}々〆ー";
const UNSPACED = "\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";
const special = new RegExp(`[${CJK}]+|[${UNSPACED}\\p{M}]*[${UNSPACED}][${UNSPACED}\\p{M}]*`, "gu");
const cjkRun = new RegExp(`^[${CJK}]+$`, "u");
const hasSpecial = new RegExp(`[${CJK}${UNSPACED}]`, "u");
const cjkCharacter = new RegExp(`[${CJK}${UNSPACED}]`, "gu");
/** Several words in one, joined as in names, numbers and paths: `nas-07`, `A-17`, `don't`. */
const compound = /[\p{L}\p{N}\p{M}]+(?:['’._/:@+-][\p{L}\p{N}\p{M}]+)*/gu;

const MAX_QUERY_CHARACTERS = 4_000;
const MAX_TERMS = 48;

/** A text as it goes into a column of the index. */
export function indexWords(text: string): string {
  const normal = text.normalize("NFKC");
  if (!hasSpecial.test(normal)) return normal;
  return normal.replaceAll(special, (run) => ` ${tokensOfRun(run).join(" ")} `);
}

/** What to look for: words and, where words were joined, the joined ones in a row. Never stop words. */
export function queryTerms(question: string): string[] {
  const text = question.slice(0, MAX_QUERY_CHARACTERS).normalize("NFKC").toLowerCase();
  const terms = new Set<string>();
  for (const run of text.match(special) ?? []) for (const term of termsOfRun(run)) terms.add(term);
  for (const [word] of text.replaceAll(special, " ").matchAll(compound)) {
    for (const term of termsOfWord(word)) terms.add(term);
    if (terms.size >= MAX_TERMS) break;
  }
  return [...terms].slice(0, MAX_TERMS);
}

function termsOfWord(word: string): string[] {
  const plain = word.replaceAll("’", "'").replace(/'s$/u, "");
  if (functionWords.has(plain)) return [];
  const parts = plain.split(/[^\p{L}\p{N}\p{M}]+/u).filter((part) => part !== "");
  if (parts.length < 2) return parts;
  const whole = parts.join(" ");
  return [whole, ...parts.filter((part) => part.length > 1 && !functionWords.has(part))];
}

const inflected = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]{6,}$/u;

/** What words that end differently begin with: two thirds of a word, never less than five letters. */
export function beginningsOf(terms: readonly string[]): string[] {
  const long = terms.filter((term) => inflected.test(term));
  return [
    ...new Set(long.map((term) => term.slice(0, Math.max(5, Math.ceil(term.length * 0.65))))),
  ];
}

function termsOfRun(run: string): string[] {
  return cjkRun.test(run) ? bigramsOf(run) : segmentedWords(run);
}

function tokensOfRun(run: string): string[] {
  if (!cjkRun.test(run)) return segmentedWords(run);
  const characters = Array.from(run);
  return characters.length === 1 ? characters : [...bigramsOf(run), ...characters];
}

/** How much a text says, in English words: two characters of a script without spaces count as one. */
export function wordCount(text: string): number {
  const special = text.match(cjkCharacter)?.length ?? 0;
  const rest = special === 0 ? text : text.replaceAll(cjkCharacter, " ");
  return special / 2 + (rest.match(/\S+/g)?.length ?? 0);
}

/** The first words of a text. */
export function firstWords(text: string, count: number): string {
  let end = 0;
  let size = 0;
  for (const word of text.matchAll(unit)) {
    size += word[1] === undefined ? 1 : 0.5;
    if (size > count) break;
    end = word.index + word[0].length;
  }
  return text.slice(0, end);
}

/** The last words of a text. */
export function lastWords(text: string, count: number): string {
  let start = text.length;
  let size = 0;
  for (const word of [...text.matchAll(unit)].toReversed()) {
    size += word[1] === undefined ? 1 : 0.5;
    if (size > count) break;
    start = word.index;
  }
  return text.slice(start);
}

/** One character of a script without spaces, or a word. */
const unit = new RegExp(`([${CJK}${UNSPACED}])|[^\\s${CJK}${UNSPACED}]+`, "gu");
