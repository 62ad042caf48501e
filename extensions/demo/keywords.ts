/**
 * The words of a question that are worth looking for. English filler words are left out; Chinese is
 * taken as it stands, without the particles at its ends.
 */
const filler = new Set(
  "a an the my your our his her their its i you we they of in on at to for about with and or is are was were do did does me that this what where when who how".split(
    " ",
  ),
);

/** At least one word, at most eight, without repeats. */
export function keywords(about: string): string[] {
  const plain = about.replace(/[’']s\b/g, "").replace(/^(?:我的?|关于)|的$/g, "");
  const words = plain.split(/[^\p{L}\p{N}_.@-]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const telling = words.filter((word) => !filler.has(word.toLowerCase()));
  const chosen = telling.length > 0 ? telling : words;
  return chosen.length > 0 ? [...new Set(chosen)].slice(0, 8) : [about.trim()];
}

/** Those lines that hold the most of the words, in their order. */
export function bestMatches(lines: readonly string[], words: readonly string[]): string[] {
  const scores = lines.map((line) => {
    const folded = line.toLowerCase();
    return words.filter((word) => folded.includes(word.toLowerCase())).length;
  });
  const best = Math.max(0, ...scores);
  return lines.filter((_line, index) => scores[index] === best);
}
