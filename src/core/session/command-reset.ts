import type { InboxItem } from "#contract/inbox.ts";
import { abortTurn } from "#core/turn/abort.ts";
import { announceEnd } from "#core/turn/finish.ts";
import { appendMessages } from "#core/turn/ingest.ts";
import { WAITING_ROWS } from "#core/turn/steer.ts";
import type { CommandCall, CommandChange, CommandOutcome } from "./command-run.ts";
import type { SessionPorts } from "./ports.ts";
import { currentSessionId, resetSession } from "./reset.ts";
import { setSetting } from "./settings.ts";

/** `/new`, `/reset` and `/stop`: the commands that end what runs. */
export function newChange({ ports, command }: CommandCall<"new" | "reset">): CommandChange {
  const { settings } = ports.store;
  const wanted = command.name === "new" && command.model !== undefined ? command.model : null;
  const model = wanted === null ? null : ports.models.resolve(wanted);
  if (model && !model.ok) return () => ({ text: model.error });
  return () => {
    const after = stopRunning(ports, "new_conversation");
    resetSession(ports);
    if (command.name === "reset" && !command.soft) {
      for (const name of ["model", "thinking", "queueMode", "usageFooter"]) settings.delete(name);
    }
    if (model?.ok) setSetting(settings, "model", model.value.name);
    const name = model?.ok ? ` Model: ${model.value.name}.` : "";
    return { text: `New conversation.${name} The old one is kept.`, ...after };
  };
}

export function stopChange({ ports, item, command }: CommandCall<"stop">): CommandChange {
  return () => {
    const running = ports.store.turns.running() ?? ports.store.turns.parked();
    if (!running && !command.explicit) {
      ports.store.inbox.becomeMessage(item.seq, item.message);
      return { text: "", keep: true };
    }
    const after = stopRunning(ports, "stopped");
    const waiting = setAside(ports);
    const text = running || waiting > 0 ? "Stopped." : "Nothing is running.";
    const aside =
      waiting > 0 ? ` ${waiting} waiting ${plural(waiting)} kept unanswered; /again answers.` : "";
    return { text: text + aside, ...after };
  };
}

function plural(count: number): string {
  return count === 1 ? "message is" : "messages are";
}

function stopRunning(ports: SessionPorts, reason: string): Pick<CommandOutcome, "after"> {
  const turn = ports.store.turns.running() ?? ports.store.turns.parked();
  if (!turn) return {};
  abortTurn(ports, turn, reason);
  return {
    after: () => {
      ports.live.abort(turn.id);
      announceEnd(ports, turn.id);
    },
  };
}

/** Messages that waited for the stopped turn: read, but not answered. Returns how many. */
function setAside(ports: SessionPorts): number {
  const items: InboxItem[] = ports.store.inbox.list("waiting", "message", WAITING_ROWS);
  if (items.length === 0) return 0;
  const turn = { id: ports.store.turns.latest()?.id ?? "", sessionId: currentSessionId(ports) };
  appendMessages(
    ports,
    turn,
    items.map((item) => ({ item, attachments: [] })),
  );
  const seqs = items.map((item) => item.seq);
  ports.store.inbox.mark(seqs, "done", null);
  return items.length;
}
