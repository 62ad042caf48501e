import { z } from "zod";
import type { MemoryText } from "#contract/memory.ts";
import { defineTool } from "#contract/tool.ts";
import { isClean, type Trust } from "#contract/transcript.ts";
import type { LinePlace } from "#contract/upkeep.ts";
import { tracesText } from "#kit/memory-traces.ts";

const MAX_CHARS = 13_000;

/** Shows what stands around a row that was found. */
export const memoryGet = defineTool({
  name: "memory_get",
  description: "Read lines of a source that memory_search named.",
  parameters: z.object({
    path: z.string().min(1).max(600),
    from: z.int().min(1).optional().describe("First line, from 1"),
    lines: z.int().min(1).max(400).optional().describe("Default 50"),
    why: z.boolean().optional().describe("Who wrote each line, when, from what"),
  }),
  level: "memory",
  replay: "safe",
  async execute({ path, from, lines, why }, context) {
    const source = await context.memory.read({
      path,
      // Conversations and their times are the owner's business.
      ...(why && context.interactiveOwner ? { why } : {}),
      ...(from === undefined ? {} : { from }),
      ...(lines === undefined ? {} : { lines }),
    });
    if (!source) return { text: `There is no source ${path} in the memory.`, isError: true };
    const isCut = source.text.length > MAX_CHARS;
    const shown = isCut ? source.text.slice(0, MAX_CHARS).toWellFormed() : source.text;
    const text = source.traces ? tracesText(source.traces).slice(0, MAX_CHARS) : shown;
    const note = `[${source.path}, lines ${source.from}–${source.to} of ${source.total}${isCut ? ", cut" : ""}]`;
    const foreign = isForeign(source);
    const body = foreign ? context.frame(text, 0) : text;
    return { text: `${body}\n${note}`, ...(foreign ? { untrusted: true, framed: true } : {}) };
  },
});

function isForeign({ trust, traces = [] }: MemoryText): boolean {
  const all = [trust, ...traces.flatMap((trace) => [trace, ...trace.from]).flatMap(saidTrust)];
  return !all.every(isClean);
}

/** A line that is gone says nothing. */
function saidTrust({ text, trust }: LinePlace): Trust[] {
  return text === null ? [] : [trust];
}
