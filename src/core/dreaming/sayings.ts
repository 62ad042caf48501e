import { askedToRemember, contentOf, isTrivial } from "./content.ts";

/**
 * A fact, and how nights say it: a wish without the words that made it one, an entry without who said
 * it. Whoever forgets the fact looks for all of them.
 */
export function sayingsOf(fact: string): string[] {
  const content = contentOf(fact) ?? fact;
  const others = [content, askedToRemember(content) ?? content].filter((text) => !isTrivial(text));
  return [...new Set([fact, ...others])];
}
