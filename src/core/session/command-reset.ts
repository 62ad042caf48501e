import type { InboxItem } from "#contract/inbox.ts";
import { sameRoute } from "#core/queue/row.ts";
import { abortTurn, type Abort } from "#core/turn/abort.ts";
import { announceEnd } from "#core/turn/finish.ts";
import { setAside } from "#core/turn/set-aside.ts";
import { WAITING_ROWS } from "#core/turn/steer.ts";
import type { CommandCall, CommandChange } from "./command-run.ts";
import { withList } from "#core/state/model-setting.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { switchMemoryOn } from "#core/state/memory-switch.ts";
import { resetSession } from "#core/state/reset.ts";
import { setSetting } from "#core/state/settings.ts";

/** `/new`, `/reset` and `/stop`: the commands that end what runs and what waits for an answer. */
export function newChange({ ports, command }: CommandCall<"new" | "reset">): CommandChange {
  const { settings } = ports.store;
  const wanted = command.name === "new" && command.model !== undefined ? command.model : null;
  const model = wanted === null ? null : ports.models.resolve(wanted);
  if (model && !model.ok) {
    return () => ({
      text: `${withList(model.error)} Nothing has changed; the conversation goes on.`,
    });
  }
  return () => {
    const ended = abortOpen(ports, { reason: "new_conversation", unread: "queue" });
    resetSession(ports);
    if (command.name === "reset" && !command.soft) {
      const names = ["model", "thinking", "queueMode", "usageFooter", "projects"];
      for (const name of names) settings.delete(name);
      switchMemoryOn(ports);
    }
    if (model?.ok) setSetting(settings, "model", model.value.name);
    return {
      text: `New conversation.${model?.ok ? ` Model: ${model.value.name}.` : ""} ${whatStays(command)}`,
      after: () => announceAll(ports, ended),
    };
  };
}

function whatStays(command: CommandCall<"new" | "reset">["command"]): string {
  const context = "What was said before is kept for /export, but no longer in my mind;";
  return command.name === "reset" && !command.soft
    ? `${context} model, thinking, queue, usage line and memory are back to their defaults. (/new leaves them as they are.)`
    : `${context} settings stay as they are. (/reset puts those back, too.)`;
}

export function stopChange({ ports, item, command }: CommandCall<"stop">): CommandChange {
  return () => {
    const open = openTurns(ports).length > 0;
    if (!open && !command.explicit) {
      ports.store.inbox.becomeMessage(item.seq, item.message);
      return { text: "", keep: true };
    }
    const ended = abortOpen(ports, { reason: "stopped", unread: "keep" });
    const waiting = waitingHere(ports, item);
    const aside = setAside(ports, waiting, "stopped");
    const text = open || aside ? "Stopped." : "Nothing is running.";
    const all = aside ? [...ended, aside] : ended;
    return { text: text + asideText(waiting.length), after: () => announceAll(ports, all) };
  };
}

function asideText(count: number): string {
  if (count === 0) return "";
  const messages = count === 1 ? "1 waiting message is" : `${count} waiting messages are`;
  return ` ${messages} kept unanswered; /again answers.`;
}

/** What waits for an answer where the command was given, from people with the same rights. */
function waitingHere(ports: SessionPorts, command: InboxItem): InboxItem[] {
  return ports.store.inbox
    .list("waiting", "message", WAITING_ROWS)
    .filter(({ message }) => sameRoute(message.route, command.message.route))
    .filter(({ message }) => message.sender.isOwner === command.message.sender.isOwner);
}

function openTurns(ports: SessionPorts) {
  const running = ports.store.turns.running();
  return [...(running ? [running] : []), ...ports.store.turns.parked()];
}

/** Ends what runs and what is parked; inside a transaction. Returns the ids. */
function abortOpen(ports: SessionPorts, abort: Abort): string[] {
  return openTurns(ports).map((turn) => {
    abortTurn(ports, turn, abort);
    return turn.id;
  });
}

function announceAll(ports: SessionPorts, turnIds: readonly string[]): void {
  for (const turnId of turnIds) {
    ports.live.abort(turnId);
    announceEnd(ports, turnId);
  }
}
