import { queryTerms } from "./keywords.ts";

/**
 * How much of a question a text has, by words: for places where a person has to see why something was
 * taken for what they meant. 0 to 1; 1 if the question stands there word for word.
 */
export function nearness(question: string): (text: string) => number {
  const asked = queryTerms(question).filter((term) => !term.includes(" "));
  const whole = folded(question);
  return (text) => {
    if (whole !== "" && folded(text).includes(whole)) return 1;
    const terms = queryTerms(text);
    const found = asked.filter((term) => terms.some((other) => isSameWord(term, other)));
    return asked.length === 0 ? 0 : found.length / (asked.length + 0.5);
  };
}

/** `dog` and `dogs`. */
function isSameWord(first: string, second: string): boolean {
  if (first === second) return true;
  const [short, long] = first.length < second.length ? [first, second] : [second, first];
  return short.length >= 3 && long.startsWith(short) && long.length - short.length <= 3;
}

function folded(text: string): string {
  return text.normalize("NFC").replaceAll(/\s+/gu, " ").trim().toLowerCase();
}
