import { z } from "zod";
import { defineTool } from "#contract/tool.ts";

const MAX_CHARS = 13_000;

/** Shows what stands around a row that was found. */
export const memoryGet = defineTool({
  name: "memory_get",
  description: "Read lines of a source that memory_search named.",
  parameters: z.object({
    path: z.string().min(1).max(600),
    from: z.int().min(1).optional().describe("First line, from 1"),
    lines: z.int().min(1).max(400).optional().describe("Default 50"),
  }),
  level: "memory",
  replay: "safe",
  async execute({ path, from, lines }, context) {
    const source = await context.memory.read({
      path,
      ...(from === undefined ? {} : { from }),
      ...(lines === undefined ? {} : { lines }),
    });
    if (!source) return { text: `There is no source ${path} in the memory.`, isError: true };
    const isCut = source.text.length > MAX_CHARS;
    const text = isCut ? source.text.slice(0, MAX_CHARS).toWellFormed() : source.text;
    const note = `[${source.path}, lines ${source.from}–${source.to} of ${source.total}${isCut ? ", cut" : ""}]`;
    const foreign = source.trust === "untrusted" || source.trust === "system";
    const body = foreign ? context.frame(text, 0) : text;
    return { text: `${body}\n${note}`, ...(foreign ? { untrusted: true, framed: true } : {}) };
  },
});
