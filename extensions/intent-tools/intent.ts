import { z } from "zod";
import type { Intent, IntentReceipt } from "#contract/intent.ts";
import { defineTool, type ToolContext, type ToolOutcome } from "#contract/tool.ts";
import { describeIntents } from "#kit/intent-text.ts";

/**
 * Standing intents: what is armed here is put before the model by itself when it comes up. So only an
 * owner's own request can arm one, with nothing from outside in the window, and none where memory is off.
 */
const parameters = z.object({
  action: z.enum(["create", "list", "done", "cancel"]),
  when: z.string().min(1).max(300).optional(),
  do: z.string().min(1).max(500).optional(),
  /** Phrases that bring it up. */
  keywords: z.array(z.string().min(1).max(60)).max(12).optional(),
  id: z.string().optional(),
});

export const intent = defineTool({
  name: "intent",
  description:
    'Standing intents ("when X comes up, do Y"): create {when, do, keywords: words of a message that bring it up, in the owner\'s languages}, list, done {id}, cancel {id}. Not for times: only for topics.',
  parameters,
  level: "own-memory",
  replay: "keyed",
  async execute(input, context) {
    switch (input.action) {
      case "create":
        return create(input, context);
      case "list":
        return { text: describeIntents(await context.intents.list(), context.now) };
      case "done":
      case "cancel":
        return close(input, context);
    }
  },
});

type Input = z.infer<typeof parameters>;

async function create(input: Input, context: ToolContext): Promise<ToolOutcome> {
  if (input.when === undefined || input.do === undefined)
    return fault("create needs `when` and `do`.");
  if (context.tainted || !context.interactiveOwner) return fault(WHILE_TAINTED);
  const given = { when: input.when, action: input.do, keywords: input.keywords ?? [] };
  const receipt = await context.intents.create(given, context.operationId);
  return answer(receipt, (made) =>
    made.keywords.length > 0
      ? `Armed as ${made.id}: comes up on ${made.keywords.join(", ")}; at most three times in 90 days.`
      : `Kept as ${made.id}, but no word of a message can bring it up: it is shown once in two weeks. Better give keywords.`,
  );
}

const WHILE_TAINTED =
  "Not armed: content from outside is in this conversation, and it must not shape what I do later. Tell the owner what you would arm; they can ask again after /new.";

async function close({ id, action }: Input, context: ToolContext): Promise<ToolOutcome> {
  if (id === undefined) return fault(`${action} needs the \`id\`; list shows them.`);
  if (context.tainted || !context.interactiveOwner) {
    return fault(
      "Not closed: content from outside is in this conversation. The owner can close it with /intents cancel.",
    );
  }
  const status = action === "done" ? "done" : "cancelled";
  return answer(
    await context.intents.close(id, status),
    (closed) => `${closed.id} is ${closed.status}.`,
  );
}

function answer(receipt: IntentReceipt, text: (intent: Intent) => string): ToolOutcome {
  return receipt.ok ? { text: text(receipt.intent) } : fault(receipt.reason);
}

function fault(text: string): ToolOutcome {
  return { text, isError: true };
}
