import { z } from "zod";
import { memoryKinds, type MemoryRow } from "#contract/memory.ts";
import { defineTool, type ToolContext } from "#contract/tool.ts";

/** Less than a result may have, since what is cut open in the middle no longer says where it is from. */
const MAX_CHARS = 13_000;

/** Finds what was noted or said. Rows of somebody else's words are framed as such and taint the turn. */
export const memorySearch = defineTool({
  name: "memory_search",
  description:
    "Search the owner's memory: curated facts, notes, past conversations. Rows show path and lines.",
  parameters: z.object({
    query: z.string().min(1).max(1_000),
    kinds: z.array(z.enum(memoryKinds)).min(1).optional(),
    limit: z.int().min(1).max(20).optional(),
    explain: z.boolean().optional().describe("Show how scores came about"),
  }),
  level: "memory",
  replay: "safe",
  async execute({ query, kinds, limit, explain }, context) {
    const { rows, notices } = await context.memory.search({
      text: query,
      ...(kinds ? { kinds } : {}),
      ...(limit === undefined ? {} : { limit }),
      ...(explain ? { explain } : {}),
    });
    const shown = fitting(rows);
    const parts = shown.map(
      (row, index) => `${headOf(row, index)}\n${bodyOf(row, index, context)}`,
    );
    if (parts.length === 0) parts.push("Nothing found.");
    if (shown.length < rows.length) parts.push(`[${rows.length - shown.length} more do not fit.]`);
    const text = [...parts, ...notices.map((notice) => `[${notice}]`)].join("\n\n");
    const untrusted = shown.some(isForeign);
    return { text, ...(untrusted ? { untrusted, framed: true } : {}) };
  },
});

function headOf(row: MemoryRow, index: number): string {
  const { path, from, to, score, trust, date, signals } = row;
  const facts = [`score ${score.toFixed(2)}`, trust, ...(date === null ? [] : [date])];
  const named = Object.entries(signals ?? {}).map(([name, value]) => `${name} ${round(value)}`);
  const why = named.length === 0 ? "" : `\n   ${named.join(", ")}`;
  return `${index + 1}. ${path}:${from === to ? from : `${from}-${to}`} (${facts.join(", ")})${why}`;
}

function bodyOf(row: MemoryRow, index: number, context: ToolContext): string {
  return isForeign(row) ? context.frame(row.text, index) : row.text;
}

function isForeign({ trust }: MemoryRow): boolean {
  return trust === "untrusted" || trust === "system";
}

function fitting(rows: readonly MemoryRow[]): MemoryRow[] {
  let room = MAX_CHARS;
  return rows.filter((row) => {
    room -= row.text.length + 200;
    return room > 0;
  });
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
