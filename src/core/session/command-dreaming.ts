import type { DreamOutcome, DreamStatus } from "#contract/dream-run.ts";
import { onlyOwnersRead } from "#core/agent/readers.ts";
import { localTime } from "#kit/wall-time.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import type { CommandCall, CommandChange } from "./command-run.ts";

/** `/dreaming`: what the nights do, for the owner alone. A run goes on by itself; its end is in the status. */
export async function dreamingChange(call: CommandCall<"dreaming">): Promise<CommandChange> {
  if (!onlyOwnersRead(call.item.message)) return says("I tell of it only where you alone read.");
  return says(await answer(call));
}

async function answer({ ports, item, command }: CommandCall<"dreaming">): Promise<string> {
  const { dreaming } = ports.agent;
  const { action, argument = "" } = command;
  const key = `${ports.key}:${item.seq}`;
  switch (action) {
    case "status":
      return statusText(ports, await dreaming.status());
    case "on":
    case "off":
      await dreaming.switch(action === "on");
      return action === "on"
        ? "I dream at night again."
        : "I do not dream by myself any more. /dreaming run still does, /dreaming on brings it back.";
    case "run":
      await dreaming.start("manual", key);
      return "Dreaming. In a moment /dreaming tells what became of it.";
    case "dry":
      await dreaming.start("dry-run", key);
      return "Trying it out; MEMORY.md stays as it is. In a moment /dreaming tells what would change.";
    case "why":
      return dreaming.explain(argument);
    case "undo": {
      const report = await dreaming.undo(null, argument === "force", key);
      return report.ok ? report.text : report.reason;
    }
  }
}

function says(text: string): CommandChange {
  return () => ({ text });
}

function statusText(ports: SessionPorts, { enabled, running, outcomes }: DreamStatus): string {
  const [latest, ...earlier] = outcomes;
  const { atHour } = ports.config.memory.dreaming;
  return [
    enabled
      ? `I dream every night at ${String(atHour).padStart(2, "0")}:00 (${ports.timeZone}).`
      : "I do not dream by myself.",
    ...(running ? [`A run is under way (${running.step}).`] : []),
    ...(latest ? latestText(ports, latest) : ["There has been no night yet."]),
    ...(earlier.length > 0 ? ["", "Before:"] : []),
    ...earlier.slice(0, 4).map((outcome) => `- ${headline(ports, outcome)}`),
  ].join("\n");
}

function headline(
  { timeZone }: SessionPorts,
  { startedAt, mode, summary, undone }: DreamOutcome,
): string {
  const kind = mode === "night" ? "" : ` (${mode === "manual" ? "by hand" : "dry run"})`;
  return `${localTime(startedAt, timeZone)}${kind}: ${summary}${undone ? " Taken back since." : ""}`;
}

function latestText(ports: SessionPorts, outcome: DreamOutcome): string[] {
  const { changes, noRoom, waiting, themes, truths, diary } = outcome;
  return [
    "",
    headline(ports, outcome),
    ...changes.map(({ type, text, replaced }) => {
      const before = replaced.length > 0 ? ` (was: ${replaced.join("; ")})` : "";
      return `- ${type}: ${text ?? replaced.join("; ")}${text === null ? "" : before}`;
    }),
    ...noRoom.map((text) => `- no room for: ${text}`),
    ...(diary === null ? [] : ["", diary]),
    ...(themes.length > 0 ? ["", `What the week was about: ${themes.join(", ")}.`] : []),
    ...(truths.length > 0 ? ["", "What we came back to:"] : []),
    ...truths.map((text) => `- ${text}`),
    ...(waiting.length > 0 ? ["", "Waits for more evidence:"] : []),
    ...waiting.slice(0, 5).map(({ text, lacks }) => `- ${text} (${lacks})`),
  ];
}
