import type { InboxItem } from "#contract/inbox.ts";
import type { CommandCall, CommandChange } from "./command-run.ts";
import { modelSetting, withList } from "#core/state/model-setting.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { queueMode } from "#core/state/queue-mode.ts";
import { getSetting, setSetting } from "#core/state/settings.ts";
import { atLeast, money, unreportedLines } from "#core/state/status-text.ts";

/** Commands that show or set one thing of this conversation. */
export function helpText(ports: SessionPorts): string {
  return [
    "I am your assistant. Write to me as you would to a person; I keep what matters in my notes.",
    "Useful: /new starts afresh, /stop stops me, /status shows what is going on, /model changes the model.",
    "What I keep: /memory search <words> looks into it, /memory forget <text> takes something out, /dreaming tells what the nights made of it. /pin keeps all of a conversation at hand, /export gives it to you. /commands lists everything.",
    ...(modelSetting(ports).model.ok ? [] : ["No model is set up yet; see the README."]),
  ].join("\n");
}

export function whoamiText({ message }: InboxItem): string {
  const { sender, channel, route } = message;
  const role = sender.isOwner ? "the owner" : "a guest";
  return `${sender.name}, ${role}. Your id here is \`${channel}:${sender.id}\`, this conversation is \`${channel}:${route.conversation}\`.`;
}

export function modelChange({ ports, command }: CommandCall<"model">): CommandChange {
  const { settings } = ports.store;
  if (command.model === undefined) {
    const current = modelSetting(ports).model;
    const text = current.ok
      ? `Model: ${current.value.name}. /model <name> changes it, /models lists what there is.`
      : current.error;
    return () => ({ text });
  }
  if (command.model === "default") {
    return () => {
      settings.delete("model");
      return { text: "Back to the default model." };
    };
  }
  const wanted = ports.models.resolve(command.model);
  if (!wanted.ok) {
    const current = modelSetting(ports).model;
    const kept = current.ok ? ` Still on ${current.value.name}.` : "";
    return () => ({ text: withList(wanted.error) + kept });
  }
  const { name } = wanted.value;
  return () => {
    setSetting(settings, "model", name);
    const later = ports.store.turns.running() ? " from the next message on" : "";
    return { text: `Model: ${name}${later}.` };
  };
}

export function modelsText(ports: SessionPorts): string {
  const rows = ports.models.list();
  if (rows.length === 0) return "No provider is set up.";
  const lines = rows.map((row) => `- \`${row.name}\`${row.note === "" ? "" : ` (${row.note})`}`);
  return `${lines.join("\n")}\n\nAny other id of a provider works too: /model provider/id.`;
}

export function thinkChange({ ports, command }: CommandCall<"think">): CommandChange {
  const { settings } = ports.store;
  if (command.level === undefined) {
    const { thinking } = modelSetting(ports);
    return () => ({ text: `Thinking: ${thinking}.` });
  }
  const { level } = command;
  return () => {
    setSetting(settings, "thinking", level);
    return { text: `Thinking: ${level}. Models that lack this level use the next lower one.` };
  };
}

export function queueChange({ ports, command }: CommandCall<"queue">): CommandChange {
  const { mode } = command;
  if (mode === undefined) return () => ({ text: `Queue: ${queueMode(ports)}.` });
  return () => {
    setSetting(ports.store.settings, "queueMode", mode);
    return { text: `Queue: ${mode}.` };
  };
}

export function usageChange({ ports, command }: CommandCall<"usage">): CommandChange {
  const { settings, usage } = ports.store;
  if (command.detail !== undefined) {
    const { detail } = command;
    return () => {
      setSetting(settings, "usageFooter", detail);
      const text =
        detail === "off" ? "Usage is no longer shown." : `Usage under answers: ${detail}.`;
      return { text };
    };
  }
  const sum = usage.totals(getSetting(settings, "sessionId") ?? "");
  const input = sum.input + sum.cacheRead + sum.cacheWrite;
  const text = [
    `This conversation: ${sum.calls} model calls, ${atLeast(sum)}${input} tokens in (${sum.cacheRead} from cache), ${sum.output} out.`,
    ...unreportedLines(sum),
    `Cost: ${money(sum)}.`,
  ].join("\n");
  return () => ({ text });
}

/** A word to the running turn: an ordinary message that joins it whatever the queue mode. */
export function steerChange({ ports, item, command }: CommandCall<"steer">): CommandChange {
  const { text } = command;
  if (text === undefined) return () => ({ text: "Use it as /steer <text>." });
  return () => {
    ports.store.inbox.becomeMessage(item.seq, { ...item.message, text }, { steer: true });
    return { text: "", keep: true };
  };
}
