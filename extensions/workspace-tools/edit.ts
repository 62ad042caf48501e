import { z } from "zod";
import { defineTool } from "#contract/tool.ts";
import { changeFile } from "./outcome.ts";

/** Replaces an exact text: what a model does not repeat it cannot damage. */
export const edit = defineTool({
  name: "edit",
  description:
    "Replace an exact text in a file of the workspace. It must occur once, unless replace_all.",
  parameters: z.object({
    path: z.string(),
    old_text: z.string().min(1),
    new_text: z.string(),
    replace_all: z.boolean().default(false),
  }),
  level: "workspace",
  replay: "keyed",
  execute: (input, context) =>
    changeFile(
      input.path,
      {
        type: "replace",
        oldText: input.old_text,
        newText: input.new_text,
        all: input.replace_all,
      },
      context,
    ),
});
