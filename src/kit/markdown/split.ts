import type { Block } from "./document.ts";

export interface SplitOptions {
  /**
   * Can these blocks be sent as one message? Decide it on the rendered form, and on everything that
   * is bounded at once (visible UTF-16 units, payload bytes, number of entities). Called O(log n)
   * times per message with candidates not much longer than a message. If some blocks fit, any
   * beginning of them must fit too.
   */
  fits(blocks: readonly Block[]): boolean;
}

/**
 * Blocks → one group of blocks per message. Every group fits and shows something; the groups' text in
 * order is the whole text, except for white space at the cuts.
 */
export function splitDocument(blocks: readonly Block[], _options: SplitOptions): Block[][] {
  return [[...blocks]];
}
