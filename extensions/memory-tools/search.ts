import { z } from "zod";
import { memoryKinds } from "#contract/memory.ts";
import { defineTool } from "#contract/tool.ts";
import { rowsOutcome } from "#kit/memory-rows.ts";

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
    const answer = await context.memory.search({
      text: query,
      ...(kinds ? { kinds } : {}),
      ...(limit === undefined ? {} : { limit }),
      ...(explain ? { explain } : {}),
    });
    return rowsOutcome(answer, (text, part) => context.frame(text, part));
  },
});
