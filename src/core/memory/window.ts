import type { StoredPassage } from "#contract/memory-index.ts";
import { lowestTrust, type Trust } from "#contract/transcript.ts";
import { estimateTokens } from "#kit/tokens.ts";
import { placeOf, type Ranked } from "./rank.ts";

/**
 * Answers as people read them: the best passage with what stands around it, grown towards the neighbour
 * that scores higher, up to about 400 tokens. What a row covers is in no later row. Rows are made within
 * one part; lines of the other part that stand in between are left out of the text, and change nothing.
 */
export interface Window {
  readonly seed: Ranked;
  /** In order; never empty. */
  readonly passages: readonly StoredPassage[];
  /** It begins inside a line, or beyond what was looked at. */
  readonly midLine: boolean;
}

const MAX_TOKENS = 399;

export interface WindowOptions {
  readonly limit: number;
  /** Passages around the candidates, by place. */
  readonly around: ReadonlyMap<string, StoredPassage>;
  /** Whatever is known of how near passages are, by place: it draws a window to one side. */
  readonly scores: ReadonlyMap<string, number>;
}

export function windowsOf(ranked: readonly Ranked[], options: WindowOptions): Window[] {
  const { scores } = options;
  const covered = new Set<string>();
  const windows: Window[] = [];
  for (const seed of ranked) {
    if (windows.length === options.limit) break;
    if (covered.has(placeOf(seed.passage))) continue;
    const passages = grow(seed.passage, options.around, (passage) =>
      covered.has(placeOf(passage)) ? null : (scores.get(placeOf(passage)) ?? 0),
    );
    for (const passage of passages) covered.add(placeOf(passage));
    windows.push({
      seed,
      passages,
      midLine: isMidLine(passages[0] ?? seed.passage, options.around),
    });
  }
  return windows;
}

/** `scoreOf` is null for what another row has. */
function grow(
  seed: StoredPassage,
  around: ReadonlyMap<string, StoredPassage>,
  scoreOf: (passage: StoredPassage) => number | null,
): StoredPassage[] {
  const window = [seed];
  let tokens = estimateTokens(seed.text);
  const reach = (from: StoredPassage | undefined, step: 1 | -1) => {
    if (!from) return null;
    const next = around.get(placeOf({ ...from, position: from.position + step }));
    if (!next) return null;
    const score = scoreOf(next);
    const size = estimateTokens(next.text) + 1;
    return score === null || tokens + size > MAX_TOKENS ? null : { next, score, size };
  };
  for (;;) {
    const before = reach(window[0], -1);
    const after = reach(window.at(-1), 1);
    if (!before && !after) return window;
    if (before && (!after || before.score > after.score)) {
      window.unshift(before.next);
      tokens += before.size;
    } else if (after) {
      window.push(after.next);
      tokens += after.size;
    }
  }
}

function isMidLine(first: StoredPassage, around: WindowOptions["around"]): boolean {
  if (first.position === 0) return false;
  const before = around.get(placeOf({ ...first, position: first.position - 1 }));
  return before === undefined || before.line === first.line;
}

export function windowText({ passages }: Pick<Window, "passages">): string {
  let text = "";
  let line = passages[0]?.line;
  for (const passage of passages) {
    if (passage.line !== line) text = `${text.trimEnd()}\n`;
    text += passage.text;
    line = passage.line;
  }
  return text.trimEnd();
}

/** The lowest class in a window. */
export function windowTrust({ passages }: Pick<Window, "passages">): Trust {
  return lowestTrust(passages.map(({ trust }) => trust));
}
