import type { ForgetOffer } from "#contract/upkeep.ts";
import { memoryIdentity } from "#core/agent/memory-access.ts";
import { onlyOwnersRead } from "#core/agent/readers.ts";
import {
  FORGET_CONFIRM,
  forgetOfferText,
  forgetProgressText,
  forgetStatusText,
  keptText,
} from "#core/memory/forget-report.ts";
import { memoryRules } from "#core/state/memory-rules.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { tracesText } from "#kit/memory-traces.ts";
import { commandButton } from "./press.ts";
import type { CommandCall, CommandOutcome } from "./command-run.ts";
import { restoreText, versionsText } from "./memory-versions.ts";

/** The parts of `/memory` that ask the agent about its memory or change it, without a model. */
type Call = CommandCall<"memory">;

export async function upkeepText(call: Call): Promise<string | CommandOutcome> {
  const { ports, item, command } = call;
  if (!onlyOwnersRead(item.message)) return "I tell and do that only where you alone read.";
  const { upkeep } = ports.agent;
  const { argument = "" } = command;
  const identity = memoryIdentity(memoryRules(ports, item.message.route), item.message);
  switch (command.action) {
    case "why":
      return tracesText(await upkeep.why(argument, identity), ports.timeZone);
    case "forget":
      return forgetText(call, identity);
    case "adopt":
      return adoptText(ports, argument);
    case "promote":
      return promoteText(call);
    case "index":
      return indexText(ports, argument);
    case "versions":
      return versionsText(call);
    case "restore":
      return restoreText(call);
    default:
      return "";
  }
}

/** `confirm <id> [numbers]`: nothing else looks so. */
const confirmation = /^confirm\s+([0-9a-f]{6})((?:[\s,]+\d{1,2})*)$/i;
/** Meant as one, and no text to look for: it would be found nowhere, or worse, somewhere. */
const confirming = /^confirm(?:\s+\S{1,40})?(?:[\s,]+\d+)*$|^confirm\s+[0-9a-f]{6}\b/i;

async function forgetText(
  { ports, item, command }: Call,
  identity: string | null,
): Promise<string | CommandOutcome> {
  const { upkeep } = ports.agent;
  const { argument = "" } = command;
  const [, id, list = ""] = confirmation.exec(argument) ?? [];
  const key = `${ports.key}:${item.seq}`;
  if (id === undefined && confirming.test(argument)) return FORGET_CONFIRM;
  const kept = /^keep\s+([0-9a-f]{6})$/i.exec(argument)?.[1]?.toLowerCase();
  if (kept !== undefined) {
    return keptText(await upkeep.forget({ id: kept, sessionKey: ports.key, numbers: [] }));
  }
  if (id === undefined) {
    return offered(ports, await upkeep.offer({ text: argument, identity, key }));
  }
  const numbers = list.match(/\d+/g)?.map(Number);
  const request = { id: id.toLowerCase(), sessionKey: ports.key, ...(numbers ? { numbers } : {}) };
  return forgetProgressText(await upkeep.forget(request));
}

/** To be confirmed by a word or by a press; some of it only by a word. */
function offered(ports: SessionPorts, offer: ForgetOffer): CommandOutcome {
  const text = forgetOfferText(offer);
  const { id, facts } = offer;
  if (facts.length === 0) return { text };
  const label = facts.length === 1 ? "Forget it" : "Forget all of it";
  const buttons = [
    commandButton(ports, label, `/memory forget confirm ${id}`),
    commandButton(
      ports,
      facts.length === 1 ? "Keep it" : "Keep it all",
      `/memory forget keep ${id}`,
    ),
  ];
  return { text, buttons };
}

async function adoptText(ports: SessionPorts, path: string): Promise<string> {
  const lines = await ports.agent.upkeep.adopt(path);
  if (lines === 0) return `No line of \`${path}\` waits for you.`;
  return `${lines} ${lines === 1 ? "line" : "lines"} of \`${path}\` now count as yours.`;
}

/** A night by hand; what comes of it is told by /dreaming. */
async function promoteText({ ports, item, command }: Call): Promise<string> {
  const { dreaming } = ports.agent;
  const apply = command.argument !== undefined;
  await dreaming.start(apply ? "manual" : "dry-run", `${ports.key}:${item.seq}`);
  return apply
    ? "Looking through the notes for what belongs into MEMORY.md. /dreaming tells what became of it."
    : "Trying out what would go into MEMORY.md; nothing is changed. /dreaming tells what came of it, /dreaming why <text> what one thing lacks.";
}

async function indexText(ports: SessionPorts, argument: string): Promise<string> {
  const { memory, upkeep } = ports.agent;
  if (argument !== "") {
    await upkeep.rebuild();
    return "The index was dropped and is being built again from the files. /memory status tells how far it is.";
  }
  const { sources, passages, waiting } = await memory.status();
  return `${sources} sources, ${passages} passages, ${waiting} waiting. /memory index force builds all of it anew.`;
}

const SHOWN = 5;

/** What waits for the owner, and what is being forgotten; "" = nothing. */
export async function upkeepStatus({ agent: { upkeep } }: SessionPorts): Promise<string> {
  const [waiting, forgetting] = await Promise.all([upkeep.waiting(), upkeep.forgetting()]);
  const lines = waiting.slice(0, SHOWN).map(({ path, lines: count }) => `- \`${path}\`: ${count}`);
  const more = waiting.length > SHOWN ? [`- and ${waiting.length - SHOWN} more files`] : [];
  const latest = forgetting.find(({ status }) => status !== "unknown");
  return [
    ...(waiting.length > 0
      ? ["Lines written from outside that wait for you (/memory adopt <path>):", ...lines, ...more]
      : []),
    forgetStatusText(latest),
  ]
    .filter((line) => line !== "")
    .join("\n");
}
