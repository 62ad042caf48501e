import { z } from "zod";

/** What the routes of the memory answer, as text for a terminal. Loose: the rest may change. Pure. */
export const statusSchema = z.object({
  sources: z.number(),
  passages: z.number(),
  waiting: z.number(),
  comparing: z.boolean().default(false),
  embedder: z.string().nullable(),
  problem: z.string().nullable(),
  waitingLines: z.array(z.object({ path: z.string(), lines: z.number() })).default([]),
});
export type MemoryStatus = z.infer<typeof statusSchema>;

export const searchSchema = z.object({
  rows: z.array(
    z.object({
      path: z.string(),
      from: z.number(),
      to: z.number(),
      text: z.string(),
      score: z.number(),
      trust: z.string(),
    }),
  ),
  notices: z.array(z.string()).default([]),
});

export function statusText(status: MemoryStatus): string {
  const { sources, passages, waiting, comparing, embedder, problem, waitingLines } = status;
  const more = comparing ? ", still looking for more" : "";
  return [
    `${sources} sources, ${passages} passages, ${waiting} waiting to be indexed${more}`,
    `search: ${embedder === null ? "by words" : `by words and by meaning (${embedder})`}`,
    ...waitingLines.map(({ path, lines }) => `${path}: ${lines} lines wait for /memory adopt`),
    ...(problem === null ? [] : [`problem: ${problem}`]),
  ].join("\n");
}

export function rowsText({ rows, notices }: z.infer<typeof searchSchema>): string {
  const found = rows.map(({ path, from, to, text, score, trust }) => {
    const lines = from === to ? `${from}` : `${from}-${to}`;
    const indented = shown(text)
      .split("\n")
      .map((line) => `    ${line}`);
    return [`${path}:${lines} (${score.toFixed(2)}, ${trust})`, ...indented].join("\n");
  });
  return [...(found.length > 0 ? found : ["Nothing found."]), ...notices].join("\n");
}

/** What others wrote must not move the cursor. */
function shown(text: string): string {
  return text.replaceAll(/[\p{Cc}--\n]/gv, " ");
}
