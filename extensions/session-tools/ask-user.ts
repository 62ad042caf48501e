import { z } from "zod";
import { defineTool } from "#contract/tool.ts";

const WAIT_MS = 30 * 60_000;

/** Asks the person and waits, without running, until they answer. */
export const askUser = defineTool({
  name: "ask_user",
  description:
    "Ask the person one question and wait for the answer. Only when you cannot go on without it.",
  parameters: z.object({
    question: z.string().min(1).max(2_000),
    options: z.array(z.string().min(1).max(60)).max(6).optional(),
  }),
  level: "owner-only",
  replay: "keyed",
  needsAnswer: true,
  execute: async ({ question, options = [] }) => ({
    text: "",
    ask: { question, options, waitMs: WAIT_MS },
  }),
});
