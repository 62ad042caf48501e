import { z } from "zod";
import { defineTool } from "#contract/tool.ts";

/** Ends the turn without an answer, where none is wanted. */
export const staySilent = defineTool({
  name: "stay_silent",
  description: "End without answering, when nothing needs to be said.",
  parameters: z.object({ reason: z.string().optional() }),
  level: "public",
  replay: "safe",
  execute: async () => ({ text: "Nothing will be sent.", silence: true }),
});
