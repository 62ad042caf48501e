import { z } from "zod";
import { defineTool } from "#contract/tool.ts";

/**
 * Says something before the turn ends, here or in another conversation of this agent. What was read
 * from outside must not reach other people by itself, so a tainted turn speaks only where it is.
 */
export const message = defineTool({
  name: "message",
  description:
    "Send a message now, before your answer: here, or to another conversation by its session key or address. Your final answer is sent by itself.",
  parameters: z.object({ text: z.string().min(1), session: z.string().optional() }),
  level: "owner-only",
  replay: "keyed",
  async execute({ text, session }, context) {
    const elsewhere = session !== undefined && session !== context.sessionKey;
    if (elsewhere && context.tainted) return { text: whileTainted, isError: true };
    const target = elsewhere ? { sessionKey: session } : { here: true as const };
    const receipt = await context.sendMessage({ kind: "interim", text }, target);
    return receipt.ok ? { text: receipt.description } : { text: receipt.reason, isError: true };
  },
});

const whileTainted =
  "Not sent: content from outside is in this conversation, and it must not reach others by itself. Tell the owner what you would send and to whom.";
