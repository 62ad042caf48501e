import { z } from "zod";
import { defineTool } from "#contract/tool.ts";

const WAIT_MS = 30 * 60_000;
const YES = "Forget it";
const NO = "Keep it";

/** Forgets for good, so the person sees what, and says so, before anything happens. */
export const memoryForget = defineTool({
  name: "memory_forget",
  description: "Forget something everywhere, for good. Asks the owner first.",
  parameters: z.object({ text: z.string().min(1).max(400) }),
  level: "own-memory",
  replay: "keyed",
  needsAnswer: true,
  async execute({ text }, { interactiveOwner, tainted, answer, forgetting }) {
    if (answer && !answer.own) {
      return { text: kept(answer.text), isError: true, untrusted: true };
    }
    if (!interactiveOwner || tainted) return { text: NOT_HERE, isError: true };
    if (answer) {
      const agreed = /^\s*(?:forget it|yes|y|ok|ja|oui|sí|是|好)[\s.!]*$/iu.test(answer.text);
      return { text: agreed ? await forgetting.confirm() : kept(answer.text) };
    }
    const question = await forgetting.question(text);
    if (question === null) return { text: "Nothing like that is in the memory." };
    return { text: "", ask: { question, options: [YES, NO], waitMs: WAIT_MS, again: true } };
  },
});

function kept(answer: string): string {
  return `Nothing was forgotten. The person answered: ${answer}`;
}

const NOT_HERE =
  "Only the owner can have something forgotten, with nothing from outside in the conversation. The command /memory forget works for them at any time.";
