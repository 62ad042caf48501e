import type { InboxItem } from "#contract/inbox.ts";
import { estimateTokens } from "#kit/tokens.ts";
import { memoryAccess } from "#core/agent/memory-access.ts";
import { toolsFor } from "#core/agent/tool-policy.ts";
import { toolSchema } from "#core/agent/tool-schema.ts";
import { fitBootstrap } from "#core/turn/fit-bootstrap.ts";
import { builtInPrompt } from "#core/turn/prompt.ts";
import { curatedNotes } from "./curated-notes.ts";
import type { CommandChange } from "./command-run.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { memoryRules } from "#core/state/memory-rules.ts";
import { getSetting } from "#core/state/settings.ts";

/** `/context`: what the model is given with each message, and how much of it there is. */
export async function contextChange(ports: SessionPorts, item: InboxItem): Promise<CommandChange> {
  const bootstrap = await ports.agent.bootstrap();
  const { message } = item;
  const memory = memoryAccess(memoryRules(ports, message.route), message);
  const files = fitBootstrap(bootstrap, ports.config.bootstrap, memory.files);
  const tools = toolsFor(ports.tools, message, memory);
  const toolTokens = estimateTokens(JSON.stringify(tools.map(toolSchema)));
  const { settings } = ports.store;
  const leftOut = getSetting(settings, "leftOut") ?? 0;
  const conversation = getSetting(settings, "historyTokens") ?? 0;
  const builtIn = estimateTokens(builtInPrompt(memory));
  const sizes = files.map((file) => estimateTokens(file.text));
  const lines = files.map((file, index) => {
    const cut = file.cut > 0 ? `, ${file.cut} characters left out (over its budget)` : "";
    return `- ${file.path}: about ${sizes[index]} tokens${cut}`;
  });
  if (memory.files) lines.push(...bootstrap.files.flatMap(curatedNotes));
  const total = [builtIn, ...sizes, toolTokens, conversation].reduce((sum, size) => sum + size, 0);
  const text = [
    "With each message the model gets:",
    `- how it is to work (built in): about ${builtIn} tokens`,
    ...lines,
    `- ${tools.length} tools: about ${toolTokens} tokens`,
    `- this conversation: about ${conversation} tokens${leftOut > 0 ? `; ${leftOut} older turns are left out` : ""}`,
    `Together: about ${total} tokens.`,
  ].join("\n");
  return () => ({ text });
}
