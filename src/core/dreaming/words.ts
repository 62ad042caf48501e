/**
 * What a text is made of, for comparing texts: words in lower case, cut to a rough stem, and bigrams
 * where a script has no spaces. No dictionary: the same on every platform, and the same tomorrow.
 */
const wordPattern = /[\p{L}\p{N}]+(?:['’][\p{L}]+)*/gu;
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Hangul}]+/gu;
const hasUnspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Hangul}]/u;

const stopWords = new Set(
  (
    "a an the and or but if so as of at by for from in into on onto to with about over under than then that this these " +
    "those there here it its it's is am are was were be been being do does did done have has had having will would can " +
    "could should may might must shall i i'm i've i'd i'll me my mine we our us you your yours he him his she her they " +
    "them their who whom which what when where why how also just very really now again still already too please ok okay " +
    "yes yeah well hey hello hi thanks thank let's let get got go going one some any all more most much many such own same " +
    "owner user owner's user's says said assistant remember note"
  ).split(" "),
);
const negations = new Set(
  "no not never none nor neither without cannot stopped quit hates dislikes".split(" "),
);
const cjkNegation = /[不没無无非別别]|ない|ません|안\s|않|못/u;

/** Words in order, lower case; a run of an unspaced script is one word. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize("NFKC").toLowerCase().replaceAll("’", "'");
  return plain.match(wordPattern) ?? [];
}

/** Everything a text is compared by: stems of all its words, bigrams of its unspaced runs. */
export function tokensOf(text: string): Set<string> {
  return new Set(wordsOf(text).flatMap(pieces).map(stem));
}

/** Only those that carry the meaning; whether the text denies it, `denies` tells. */
export function contentTokens(text: string): Set<string> {
  const words = wordsOf(text).filter((word) => !stopWords.has(word) && !negations.has(word));
  return new Set(words.flatMap(pieces).map(stem));
}

export function isStopWord(word: string): boolean {
  return stopWords.has(word);
}

export function isUnspaced(text: string): boolean {
  return hasUnspaced.test(text);
}

/** "not", "never", "n't", 不 …: two texts of which one denies are never the same. */
export function denies(text: string): boolean {
  const words = wordsOf(text);
  return (
    words.some((word) => negations.has(word) || word.endsWith("n't")) || cjkNegation.test(text)
  );
}

/** Numbers, codes and dates: what must not change while a text is reworded. */
export function figuresOf(text: string): Set<string> {
  return new Set(text.normalize("NFKC").match(/\d+/g) ?? []);
}

/** Names, as far as capitals tell: not at the beginning of a sentence, where every word has one. */
export function namesOf(text: string): string[] {
  const found = text
    .normalize("NFKC")
    .matchAll(/(?<=[\p{L}\p{N},;:'"’)]\s+)\p{Lu}[\p{L}\p{N}'’-]*/gu);
  return [...found].map(([name]) => name.toLowerCase().replaceAll("’", "'"));
}

function pieces(word: string): string[] {
  if (!hasUnspaced.test(word)) return [word];
  const rest = word.replaceAll(unspaced, " ").split(" ");
  const bigrams = (word.match(unspaced) ?? []).flatMap((run) => {
    const characters = Array.from(run);
    if (characters.length === 1) return characters;
    return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
  });
  return [...rest.filter((part) => part !== ""), ...bigrams];
}

/** Endings that English puts on a word without changing what it is about. */
export function stem(word: string): string {
  const bare = word.replace(/'(s|re|ve|ll|d|m)?$/, "");
  if (!/^[a-z]{5,}$/.test(bare)) {
    return /^[a-z]{4}$/.test(bare) ? bare.replace(/(?<=[^su])s$/, "") : bare;
  }
  return bare
    .replace(/ies$/, "y")
    .replace(/(?<=s|x|z|ch|sh)es$/, "")
    .replace(/(?<=[^su])s$/, "")
    .replace(/(?<=[a-z]{3})(?:ing|ed)$/, "")
    .replace(/(?<=[a-z]{3})e$/, "");
}
