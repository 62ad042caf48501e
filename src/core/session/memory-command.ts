import type { MemoryAnswer, MemoryRow, MemoryText } from "#contract/memory.ts";
import { isClean } from "#contract/transcript.ts";
import { memoryAccess, memoryIdentity } from "#core/agent/memory-access.ts";
import { excerpt } from "#core/memory/excerpt.ts";
import { windowIsTainted } from "#core/turn/taint.ts";
import { memoryRules } from "#core/state/memory-rules.ts";
import { isMemoryOff, switchMemoryOff, switchMemoryOn } from "#core/state/memory-switch.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { currentSessionId } from "#core/state/reset.ts";
import { describeError } from "#kit/redact.ts";
import { fenced } from "#kit/text/fenced.ts";
import { truncateText } from "#kit/text/graphemes.ts";
import type { CommandCall, CommandChange, CommandOutcome } from "./command-run.ts";
import { upkeepStatus, upkeepText } from "./memory-upkeep.ts";

/** `/memory`: the agent's memory without a model. Only where only owners read. */
type Call = CommandCall<"memory">;

export async function memoryChange(call: Call): Promise<CommandChange> {
  const { ports, item, command } = call;
  const rules = memoryRules(ports, item.message.route);
  if (!memoryAccess({ ...rules, off: false }, item.message).files) return says(ELSEWHERE);
  switch (command.action) {
    case "off":
      return () => {
        switchMemoryOff(ports);
        return { text: OFF };
      };
    case "on":
      return () => {
        switchMemoryOn(ports);
        return { text: ON };
      };
    case "status":
      return says(await statusText(ports));
    case "why":
    case "forget":
    case "adopt":
    case "promote":
    case "index":
    case "versions":
    case "restore":
      if (!ports.config.memory.enabled) return says(DISABLED);
      return says(await orSorry(ports, () => upkeepText(call)));
    case "search":
    case "show":
      if (!ports.config.memory.enabled) return says(DISABLED);
      return says(await orSorry(ports, () => look(call)));
  }
}

const ELSEWHERE = "The memory is only in your direct chat with me.";
const DISABLED = "The memory is switched off in the configuration (`memory.enabled`).";
const OFF =
  "Memory is off in this conversation: from here on nothing of it is kept, and nothing is looked up. /memory on switches it on again.";
const ON = "Memory is on in this conversation. What was said while it was off stays out of it.";

function says(answer: string | CommandOutcome): CommandChange {
  return () => (typeof answer === "string" ? { text: answer } : answer);
}

/** A memory that does not answer is told about, and nothing else suffers. */
async function orSorry<Answer>(
  ports: SessionPorts,
  work: () => Promise<Answer>,
): Promise<Answer | string> {
  try {
    return await work();
  } catch (error) {
    ports.log.warn("memory.unanswered", { session: ports.key, error: describeError(error) });
    return "The memory does not answer right now. Please try again in a while.";
  }
}

async function look({ ports, item, command }: Call): Promise<string> {
  const { memory } = ports.agent;
  const rules = memoryRules(ports, item.message.route);
  const sessionId = currentSessionId(ports);
  const asker = {
    sessionKey: ports.key,
    identity: memoryIdentity(rules, item.message),
    counts: !rules.off && !windowIsTainted(ports, { sessionId }),
  };
  const { argument = "" } = command;
  if (command.action === "search") {
    return foundText(await memory.search({ text: argument, asker }), argument);
  }
  const path = argument === "" ? "MEMORY.md" : argument;
  return shownText(path, await memory.read({ path, lines: 200, asker }));
}

function foundText({ rows, notices }: MemoryAnswer, question: string): string {
  const lines = rows.length === 0 ? ["Nothing found."] : rows.map((row) => rowText(row, question));
  return [...lines, ...notices.map((notice) => `_${notice}_`)].join("\n");
}

function rowText({ path, from, to, text, score, trust }: MemoryRow, question: string): string {
  const where = `\`${path}:${from === to ? from : `${from}-${to}`}\``;
  const foreign = isClean(trust) ? "" : ", from outside";
  return `${where} (${score.toFixed(2)}${foreign})\n${fenced(excerpt(text, question, 500))}`;
}

const SHOWN = 3_000;

function shownText(path: string, file: MemoryText | null): string {
  if (!file) return `There is no \`${path}\` in the memory.`;
  const cut = file.text.length > SHOWN || file.to < file.total;
  const note = cut ? `\n_${file.total} lines in all; this is the beginning._` : "";
  return `\`${file.path}\`\n${fenced(truncateText(file.text, SHOWN))}${note}`;
}

async function statusText(ports: SessionPorts): Promise<string> {
  const { enabled, autoCapture } = ports.config.memory;
  if (!enabled) return DISABLED;
  const here = isMemoryOff(ports) ? "off (/memory on)" : "on";
  const numbers = await orSorry(ports, async () => {
    const { sources, passages, waiting, comparing, embedder, problem } =
      await ports.agent.memory.status();
    const open = [
      ...(waiting > 0 ? [`, ${waiting} waiting to be read`] : []),
      ...(comparing ? [", still looking for more"] : []),
    ].join("");
    return [
      `Sources: ${sources}, passages: ${passages}${open}.`,
      `Search: ${embedder === null ? "by words" : `by words and by meaning (${embedder})`}.`,
      ...(problem === null ? [] : [`Problem: ${problem}`]),
    ].join("\n");
  });
  const upkeep = await orSorry(ports, () => upkeepStatus(ports));
  return [
    `Memory in this conversation: ${here}.`,
    `What you say about yourself is kept by rule: ${autoCapture ? "yes" : "no"}.`,
    numbers,
    ...(upkeep === "" || upkeep === numbers ? [] : [upkeep]),
  ].join("\n");
}
