/**
 * Words of a text, for comparing what a person wrote with what is stored, without a model: case,
 * width and accents do not count, and scripts without spaces are cut by the platform's segmenter.
 * For searching in the index see keywords.ts.
 */
const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });

/** In order, with repeats. */
export function wordsOf(text: string): string[] {
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(foldText(text))) {
    if (isWordLike) words.push(segment);
  }
  return words;
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

/**
 * The least that endings change, so that "dogs" finds "dog" and "allergies" finds "allergy". Crude on
 * purpose: it decides only whether something is shown once more.
 */
export function stem(word: string): string {
  if (!/^[a-z]{4,}$/.test(word)) return word;
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (word.endsWith("sses") || word.endsWith("xes") || word.endsWith("ches"))
    return word.slice(0, -2);
  if (word.endsWith("s") && !/(ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}
