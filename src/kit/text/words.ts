/**
 * The words of a text, cut in two ways because two questions are asked of them. Whether a person meant
 * what is stored is asked of `foldedWords`, in which case, width and accents do not count. Whether two
 * texts say the same is asked of `wordsOf`, in which accents do count and no dictionary has a say: it
 * is the same on every platform, and the same tomorrow. What imitates other letters: text-fold.ts.
 */
const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });
const wordPattern = /[\p{L}\p{N}]+(?:['’][\p{L}]+)*/gu;
const unspacedScripts =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Hangul}";
const hasUnspaced = new RegExp(`[${unspacedScripts}]`, "u");
/** Runs of scripts in which words are not, or not everywhere, set apart by spaces. */
export const unspacedRuns = new RegExp(`[${unspacedScripts}]+`, "gu");

/** In order, with repeats; a run of an unspaced script is one word. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize("NFKC").toLowerCase().replaceAll("’", "'");
  return plain.match(wordPattern) ?? [];
}

/** In order, with repeats; a run of an unspaced script is cut where the platform sees words in it. */
export function foldedWords(text: string): string[] {
  return segmentedWords(foldText(text));
}

/** One spelling for all that a reader takes for the same. */
export function foldText(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[’ʼ]/g, "'");
}

/** As the platform's dictionaries cut the text, which may change with them. */
export function segmentedWords(text: string): string[] {
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    if (isWordLike) words.push(segment);
  }
  return words;
}

export function isUnspaced(text: string): boolean {
  return hasUnspaced.test(text);
}

/** Each character with the one behind it; one alone stands for itself. */
export function bigramsOf(run: string): string[] {
  const characters = Array.from(run);
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
