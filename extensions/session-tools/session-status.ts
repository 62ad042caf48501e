import { z } from "zod";
import { defineTool } from "#contract/tool.ts";

/** What the conversation runs on: model, thinking, context, usage. */
export const sessionStatus = defineTool({
  name: "session_status",
  description: "Facts about this conversation: model, settings, context size, usage.",
  parameters: z.object({}),
  level: "owner-only",
  replay: "safe",
  execute: async (_input, { session }) => ({ text: await session.describe() }),
});
