/**
 * A document → one group of blocks per message. The caller says whether a candidate fits, on whatever
 * its platform bounds; this finds by doubling and halving how far a message can reach (about a dozen
 * trial renderings of one message's size, never of the whole), then the best place to cut before that.
 * Text is cut inside a word only where nothing better exists, and then between graphemes.
 */
import { type Break, findBreaks, findLeaf } from "./breaks.ts";
import type { Block } from "./document.ts";
import { firstGraphemeEnd, graphemeEdge } from "#kit/text/graphemes.ts";
import { isBlank } from "./plain.ts";
import { blocksLength, sliceBlocks } from "./slice.ts";

export interface SplitOptions {
  /**
   * Can these blocks be sent as one message? Decide it on the rendered form, and on everything that
   * is bounded at once (visible UTF-16 units, payload bytes, number of entities). Called O(log n)
   * times per message with candidates not much longer than a message. If some blocks fit, any
   * beginning of them must fit too.
   */
  fits(blocks: readonly Block[]): boolean;
  /**
   * How full a message must be before a better place to cut counts more than a fuller message, as a
   * share of what has room, 0 to 1. Default 0.5.
   */
  readonly fill?: number;
}

type Cut = Pick<Break, "end" | "start">;

/** First guess at a message's size, in UTF-16 units; later ones start from the message before. */
const firstGuess = 2048;

/**
 * Blocks → one group of blocks per message.
 *
 * - Every group fits. The only exception is one grapheme of which not even the first unit fits.
 * - Every group shows something (see `isBlank`); a document that shows nothing gives no group.
 * - Nothing is lost, repeated or reordered: `visibleText` of the groups, in order, is `visibleText`
 *   of the whole, except that at a cut either the line end between two leaves, one line end of a code
 *   block, or a run of white space is left out. (Groups of white space only are left out too.)
 * - No grapheme is cut unless it does not fit alone. Code is cut at line ends unless a line does not
 *   fit alone, and its language is kept. Lists go on counting; the rest of a cut item is `continued`.
 */
export function splitDocument(blocks: readonly Block[], options: SplitOptions): Block[][] {
  const groups: Block[][] = [];
  let rest: readonly Block[] = blocks;
  let guess = firstGuess;
  while (!isBlank(rest)) {
    const reach = findReach(rest, guess, options);
    if (reach === blocksLength(rest)) {
      groups.push([...rest]);
      break;
    }
    const cut = chooseCut(rest, reach, options);
    const group = sliceBlocks(rest, 0, cut.end);
    if (!isBlank(group)) groups.push(group);
    const next = sliceBlocks(rest, cut.start, Infinity);
    if (blocksLength(next) >= blocksLength(rest)) throw new Error("a cut took nothing away");
    rest = next;
    guess = Math.max(reach, 1);
  }
  return groups;
}

/** The largest offset up to which the document fits. */
function findReach(blocks: readonly Block[], guess: number, options: SplitOptions): number {
  const total = blocksLength(blocks);
  const fitsUpTo = (offset: number): boolean =>
    options.fits(offset === total ? blocks : sliceBlocks(blocks, 0, offset));
  let fitting = 0;
  let tooFar = Math.min(guess, total);
  while (fitsUpTo(tooFar)) {
    fitting = tooFar;
    if (fitting === total) return total;
    tooFar = Math.min(tooFar * 2, total);
  }
  while (tooFar - fitting > 1) {
    const middle = (fitting + tooFar) >> 1;
    if (fitsUpTo(middle)) fitting = middle;
    else tooFar = middle;
  }
  return fitting;
}

/** The best cut within reach. Shortens the reach should `fits` not grow evenly with its input. */
function chooseCut(blocks: readonly Block[], reach: number, options: SplitOptions): Cut {
  let limit = reach;
  while (limit > 0) {
    const cut = bestBreak(blocks, limit, options.fill ?? 0.5) ?? cutInsideWord(blocks, limit);
    if (cut === null) break;
    if (options.fits(sliceBlocks(blocks, 0, cut.end))) return cut;
    limit = Math.min(cut.end - 1, Math.floor(limit * 0.9));
  }
  return smallestCut(blocks);
}

/** The highest rank in the last part of the reach; if there is none, the last break before it. */
function bestBreak(blocks: readonly Block[], limit: number, fill: number): Cut | null {
  let late: Break | null = null;
  let early: Break | null = null;
  for (const next of findBreaks(blocks, limit)) {
    if (next.end < limit * fill) {
      if (early === null || next.end >= early.end) early = next;
    } else if (late === null || next.rank > late.rank || isLaterEqual(next, late)) {
      late = next;
    }
  }
  return late ?? early;
}

function isLaterEqual(next: Break, best: Break): boolean {
  return next.rank === best.rank && next.end >= best.end;
}

function cutInsideWord(blocks: readonly Block[], limit: number): Cut | null {
  const leaf = findLeaf(blocks, limit);
  if (leaf === null) return null;
  const edge = graphemeEdge(leaf.text(), limit - leaf.offset);
  return edge > 0 ? { end: leaf.offset + edge, start: leaf.offset + edge } : null;
}

/** Where nothing fits: one grapheme, so that splitting always comes to an end. */
function smallestCut(blocks: readonly Block[]): Cut {
  const leaf = findLeaf(blocks, 0);
  const end = leaf === null ? blocksLength(blocks) : leaf.offset + firstGraphemeEnd(leaf.text());
  return { end, start: end };
}
