import { truncateText } from "#kit/text/graphemes.ts";
import { singular } from "#kit/text/stem.ts";
import { queryTerms } from "./keywords.ts";

/**
 * The part of a row that a person is shown: what was found may stand anywhere in it, and a beginning
 * without it looks like a wrong answer. Grows from the line that has most of the question's words over
 * those behind it, then those before it, while there is room. Whole lines, unless one alone is too
 * long. Where no line has any of the words (it was near in meaning) it is the beginning.
 */
export function excerpt(text: string, question: string, limit: number): string {
  if (text.length <= limit) return text;
  const lines = text.split("\n");
  let from = bestLine(lines, question);
  const best = lines[from] ?? "";
  if (best.length > limit) return `${edge(from > 0)}${truncateText(best, limit)}…`;
  let to = from + 1;
  let rest = limit - best.length;
  for (;;) {
    const [next, previous] = [lines[to], lines[from - 1]];
    if (next !== undefined && next.length < rest) {
      rest -= next.length + 1;
      to += 1;
    } else if (previous !== undefined && previous.length < rest) {
      rest -= previous.length + 1;
      from -= 1;
    } else break;
  }
  return `${edge(from > 0)}${lines.slice(from, to).join("\n")}${edge(to < lines.length)}`;
}

function edge(isCut: boolean): string {
  return isCut ? "…" : "";
}

/** The first of those with the most of the words. */
function bestLine(lines: readonly string[], question: string): number {
  const wanted = new Set(queryTerms(question).map(singular));
  let best = { line: 0, hits: 0 };
  for (const [line, text] of lines.entries()) {
    const terms = new Set(queryTerms(text).map(singular));
    const hits = [...terms].filter((term) => wanted.has(term)).length;
    if (hits > best.hits) best = { line, hits };
  }
  return best.line;
}
