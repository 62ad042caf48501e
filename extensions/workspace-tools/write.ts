import { z } from "zod";
import { defineTool } from "#contract/tool.ts";
import { changeFile } from "./outcome.ts";

/** Writes a whole file, or adds to its end. */
export const write = defineTool({
  name: "write",
  description: "Create or overwrite a text file of the workspace, or append to it.",
  parameters: z.object({
    path: z.string(),
    text: z.string(),
    mode: z.enum(["overwrite", "append"]).default("overwrite"),
  }),
  level: "workspace",
  replay: "keyed",
  execute: ({ path, text, mode }, context) =>
    changeFile(path, { type: mode === "append" ? "append" : "write", text }, context),
});
