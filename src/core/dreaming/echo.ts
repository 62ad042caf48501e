import { contentTokens, denies, figuresOf } from "./meaning.ts";

/**
 * An answer that only says again what the owner told ("Noted: your sister lives in Bergen"). It is no
 * fact beside the owner's: whoever finds it has found theirs. It is no newer mention of it either, or
 * an answer from old knowledge would win over what changed since.
 */
export interface Saying {
  readonly content: ReadonlySet<string>;
  readonly denies: boolean;
  readonly figures: ReadonlySet<string>;
}

/** Fewer words that mean something are in many sentences. */
const minWords = 3;

export function sayingOf(text: string): Saying {
  return { content: contentTokens(text), denies: denies(text), figures: figuresOf(text) };
}

/** Everything that was told, in its order, with at most as much again around it, and no other numbers. */
export function echoes(answer: Saying, told: Saying): boolean {
  const { content, figures } = told;
  if (content.size < minWords || answer.content.size > 2 * content.size) return false;
  if (answer.denies !== told.denies || answer.figures.size !== figures.size) return false;
  const again = [...answer.content].filter((token) => content.has(token));
  return (
    again.length === content.size &&
    [...content].every((token, index) => token === again[index]) &&
    [...figures].every((figure) => answer.figures.has(figure))
  );
}
