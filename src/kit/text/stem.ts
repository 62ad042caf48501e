import { functionWords } from "./stop-words.ts";

/**
 * Words without their English endings, by rule. Neither is what a linguist calls a stem: they are only
 * compared with each other and never shown.
 */

/**
 * The least that endings change, so that "dogs" finds "dog" and "allergies" finds "allergy". Crude on
 * purpose: it decides only whether something is shown once more. "does" is no "doe".
 */
export function singular(word: string): string {
  if (!/^[a-z]{4,}$/.test(word) || functionWords.has(word)) return word;
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (word.endsWith("sses") || word.endsWith("xes") || word.endsWith("ches"))
    return word.slice(0, -2);
  if (word.endsWith("s") && !/(ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}

/** Whatever English puts on a word without changing what it is about: also tenses and possessives. */
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
