import { onlyOwnersRead } from "#core/agent/readers.ts";
import { againChange } from "./command-again.ts";
import { contextChange } from "./command-context.ts";
import { exportChange } from "./command-export.ts";
import { intentsChange, projectChange } from "./command-project.ts";
import {
  helpText,
  modelChange,
  modelsText,
  queueChange,
  steerChange,
  thinkChange,
  usageChange,
  whoamiText,
} from "./command-settings.ts";
import { dreamingChange } from "./command-dreaming.ts";
import { memoryChange } from "./memory-command.ts";
import { pinChange } from "./command-pin.ts";
import { newChange, stopChange } from "./command-reset.ts";
import type { CommandCall, CommandChange } from "./command-run.ts";
import { commandTable, commandUsage, type Command } from "#core/routing/command.ts";
import { describeRunning, describeSession } from "#core/state/status.ts";

/** Command → what it does. The switch is exhaustive: a new command does not compile without its line. */
export async function commandHandlers(
  command: Command,
  { ports, item }: Pick<CommandCall, "ports" | "item">,
): Promise<CommandChange> {
  switch (command.name) {
    case "help":
      return says(helpText(ports));
    case "commands":
      return says(commandList());
    case "status":
      return says(
        item.message.sender.isOwner
          ? await describeSession(ports, onlyOwnersRead(item.message))
          : describeRunning(ports),
      );
    case "whoami":
      return says(whoamiText(item));
    case "new":
    case "reset":
      return newChange({ ports, item, command });
    case "stop":
      return stopChange({ ports, item, command });
    case "again":
      return againChange(ports, item);
    case "model":
      return modelChange({ ports, item, command });
    case "models":
      return says(modelsText(ports));
    case "think":
      return thinkChange({ ports, item, command });
    case "usage":
      return usageChange({ ports, item, command });
    case "context":
      return contextChange(ports, item);
    case "queue":
      return queueChange({ ports, item, command });
    case "steer":
      return steerChange({ ports, item, command });
    case "memory":
      return memoryChange({ ports, item, command });
    case "project":
      return projectChange({ ports, item, command });
    case "dreaming":
      return dreamingChange({ ports, item, command });
    case "intents":
      return intentsChange({ ports, item, command });
    case "pin":
      return pinChange({ ports, item, command });
    case "export":
      return exportChange(ports, item);
    case "invalid":
      return says(command.message);
  }
}

function says(text: string): CommandChange {
  return () => ({ text });
}

function commandList(): string {
  return commandTable.map((row) => `${commandUsage(row)} — ${row.description}`).join("\n");
}
