import type { Bootstrap } from "#contract/agent-port.ts";
import { bootstrapFiles } from "#kit/bootstrap-files.ts";
import { truncateText } from "#kit/text/graphemes.ts";

/**
 * The workspace files that stand in every prompt, in a fixed order and within a budget. Where all of them
 * together are over theirs, the largest are cut to one length, so that no rules, however long, leave the
 * memory behind them without room. A file over
 * its budget keeps head (70 %) and tail (20 %); the cut is marked where it is, and reported. Which
 * files: kit/bootstrap-files.ts. Reading them is core/workspace/bootstrap.ts.
 */
export interface BootstrapBudget {
  readonly fileChars: number;
  readonly totalChars: number;
}

export interface FittedFile {
  readonly path: string;
  readonly text: string;
  /** Characters left out; 0 = whole. */
  readonly cut: number;
}

export function fitBootstrap(
  bootstrap: Bootstrap,
  budget: BootstrapBudget,
  readersAreOwners: boolean,
): FittedFile[] {
  const texts = new Map(bootstrap.files.map((file) => [file.path, file.text.trim()]));
  const shown = bootstrapFiles.flatMap(({ path, inPrompt, ownersOnly }) => {
    const text = texts.get(path);
    if (!text || !inPrompt || (ownersOnly && !readersAreOwners)) return [];
    return [{ path, text }];
  });
  const limit = fairLimit(
    shown.map(({ text }) => text.length),
    budget,
  );
  return shown.map(({ path, text }) => fit(path, text, limit));
}

/** The most that each may have, so that all of them together have what there is. */
function fairLimit(sizes: readonly number[], { fileChars, totalChars }: BootstrapBudget): number {
  let left = totalChars;
  for (const [index, size] of sizes.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(left / (sizes.length - index));
    if (Math.min(size, fileChars) > share) return share;
    left -= Math.min(size, fileChars);
  }
  return fileChars;
}

function fit(path: string, text: string, limit: number): FittedFile {
  if (text.length <= limit) return { path, text, cut: 0 };
  const head = truncateText(text, Math.max(0, Math.floor(limit * 0.7)));
  const tail = text.slice(text.length - Math.max(0, Math.floor(limit * 0.2)));
  const whole = tail.replace(/^[\uDC00-\uDFFF]/, "");
  const cut = text.length - head.length - whole.length;
  return { path, text: `${head}\n[… ${cut} characters of ${path} left out …]\n${whole}`, cut };
}
