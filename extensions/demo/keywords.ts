import { isGerman, isGermanFiller } from "./german.ts";

/**
 * The words of a question that are worth looking for. English filler words are left out; Chinese is
 * taken as it stands, without the particles at its ends.
 */
const filler = new Set(
  "a an the my your our his her their its i you we they of in on at to for about with and or is are was were do did does me that this what when where who which how have has had there any can could will would should put keep kept leave left find know tell called named much many whose why it's it".split(
    " ",
  ),
);

/** At least one word, at most eight, without repeats. */
export function keywords(about: string): string[] {
  const plain = about.replace(/[’']s\b/g, "").replace(/^(?:我的?|关于)|的$/g, "");
  const words = plain.split(/[^\p{L}\p{N}_.@-]+/u).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const german = isGerman(about);
  const telling = words.filter((word) =>
    german ? !isGermanFiller(word) : !filler.has(word.toLowerCase()),
  );
  const chosen = telling.length > 0 ? telling : words;
  return chosen.length > 0 ? [...new Set(chosen)].slice(0, 8) : [about.trim()];
}

const verb =
  /^(.+?) (?:is|are|was|were|has|have|had|will|can|costs?|likes?|loves?|hates?|lives?|wants?|needs?|works?)\b/i;
const chineseVerb = /^(.{1,12}?)(?:是|在|有|叫|喜欢|讨厌|住|要|会)/;
/** "I am", "we like": who speaks is no topic. */
const speaker =
  /^(?:to|i|we|you|he|she|it|they)(?:['’](?:m|re|s|ve))?(?: (?:am|are|is|have|has))? \S+ /i;

/** What a remembered fact is about, to ask for it again: its subject, else its longest word. */
export function topicOf(fact: string): string {
  const plain = fact.replaceAll("`", "").replace(/^[\s,.:;-]+|[\s.,:;!?]+$/g, "");
  const rest = plain.replace(speaker, "");
  const subject = rest === plain ? (verb.exec(plain) ?? chineseVerb.exec(plain))?.[1] : undefined;
  if (subject !== undefined && subject.length <= 40) return subject;
  const words = keywords(rest);
  return words.toSorted((one, other) => other.length - one.length)[0] ?? plain;
}

/** Does a text hold the word as a whole, or in the plural? Chinese does not show where words end. */
function holds(text: string, word: string): boolean {
  if (/[\u2e80-\uffef]/.test(word)) return text.includes(word);
  return new RegExp(String.raw`(?<![\p{L}\p{N}_])${literal(word)}s?(?![\p{L}\p{N}_])`, "iu").test(
    text,
  );
}

/** Or a word that begins like it: of words that have endings, two thirds tell which they are. */
function holdsBeginning(text: string, word: string): boolean {
  if (!/^\p{Script=Latin}{6,}$/u.test(word)) return holds(text, word);
  const beginning = word.slice(0, Math.max(5, Math.ceil(word.length * 0.65)));
  return new RegExp(String.raw`(?<![\p{L}\p{N}_])${beginning}`, "iu").test(text);
}

/** Those lines that hold the most of the words, in their order; none if none holds any. */
export function bestMatches(
  lines: readonly string[],
  words: readonly string[],
  by: "word" | "beginning" = "word",
): string[] {
  const isIn = by === "word" ? holds : holdsBeginning;
  const scores = lines.map((line) => words.filter((word) => isIn(line, word)).length);
  const best = Math.max(1, ...scores);
  return lines.filter((_line, index) => scores[index] === best);
}

/** A word as a pattern that means just that. */
export function literal(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}
