import { onlyOwnersRead } from "#core/agent/readers.ts";
import { describeIntents } from "#kit/intent-text.ts";
import { setSetting, getSetting } from "#core/state/settings.ts";
import { useProject } from "#kit/project-key.ts";
import type { CommandCall, CommandChange } from "./command-run.ts";

/** Commands about what the agent keeps in mind. What is the agent's is asked for before the change. */
export function projectChange({ ports, command }: CommandCall<"project">): CommandChange {
  const { settings } = ports.store;
  const { key } = command;
  return () => {
    const active = getSetting(settings, "projects") ?? [];
    if (key === undefined) return { text: projectsText(active) };
    const next = key === null ? [] : useProject(active, key);
    setSetting(settings, "projects", next);
    return { text: projectsText(next) };
  };
}

function projectsText(active: readonly string[]): string {
  return active.length === 0
    ? "No project is active here. /project <name or repository> makes one so."
    : `Active here: ${active.join(", ")}. /project off ends that.`;
}

export async function intentsChange({
  ports,
  item,
  command,
}: CommandCall<"intents">): Promise<CommandChange> {
  if (!onlyOwnersRead(item.message)) {
    return () => ({ text: "I tell of it only where you alone read." });
  }
  const { close } = command;
  if (close === undefined) {
    const text = describeIntents(await ports.agent.intents.list(), ports.now());
    return () => ({ text });
  }
  const receipt = await ports.agent.intents.close(close.id, close.status);
  const text = receipt.ok ? `${close.id} is ${close.status}.` : receipt.reason;
  return () => ({ text });
}
