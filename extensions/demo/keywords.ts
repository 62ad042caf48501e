/**
 * The words of a question that are worth looking for. English filler words are left out; Chinese is
 * taken as it stands, without the particles at its ends.
 */
const filler = new Set(
  "a an the my your our his her their its i you we they of in on at to for about with and or is are was were do did does me that this what when where who which how have has had there any".split(
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

/** Does a text hold the word as a whole, or in the plural? Chinese does not show where words end. */
function holds(text: string, word: string): boolean {
  if (/[\u2e80-\uffef]/.test(word)) return text.includes(word);
  return new RegExp(String.raw`(?<![\p{L}\p{N}_])${literal(word)}s?(?![\p{L}\p{N}_])`, "iu").test(
    text,
  );
}

/** Those lines that hold the most of the words, in their order; none if none holds any. */
export function bestMatches(lines: readonly string[], words: readonly string[]): string[] {
  const scores = lines.map((line) => {
    const said = line.replace(/^[^:]*:\d+: /, "");
    return words.filter((word) => holds(said, word)).length;
  });
  const best = Math.max(1, ...scores);
  return lines.filter((_line, index) => scores[index] === best);
}

/** A word as a pattern that means just that. */
export function literal(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
