import { z } from "zod";
import { defineTool } from "#contract/tool.ts";

/** Keeps something. Whose words it counts as is decided by code (core/turn/turn-memory.ts). */
export const memoryWrite = defineTool({
  name: "memory_write",
  description:
    "Keep something: a fact or decision in today's note, or a preference as a directive (imperative, one sentence) in USER.md.",
  parameters: z.object({
    text: z.string().min(1).max(2_000),
    target: z.enum(["note", "preference"]).default("note"),
    replaces: z
      .string()
      .max(400)
      .optional()
      .describe("With preference: words of the directive it takes the place of"),
  }),
  level: "own-memory",
  replay: "keyed",
  async execute({ text, target, replaces }, { memory }) {
    const receipt = await memory.write({ text, target, replaces });
    return receipt.ok ? { text: receipt.description } : { text: receipt.reason, isError: true };
  },
});
