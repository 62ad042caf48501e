import type { InboxItem } from "#contract/inbox.ts";
import type { OutboundButton, OutboundMedia } from "#contract/message.ts";
import { prepare } from "#core/delivery/outbox.ts";
import { endedWithoutTurn } from "#core/turn/ended.ts";
import { announceEnd } from "#core/turn/finish.ts";
import { commandHandlers } from "./command-table.ts";
import type { Command } from "#core/routing/command.ts";
import { commandIn } from "./press.ts";
import { messageTopic } from "#core/state/live.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { describeError } from "#kit/redact.ts";

/**
 * Carries commands out, past queue and model. What a command needs to know is gathered first; what
 * it changes, and its answer, are one transaction that runs only while the row is still waiting. Any
 * number of callers may be here at once: each command takes effect once.
 */
export interface CommandOutcome {
  /** Markdown; empty = no answer. */
  readonly text: string;
  readonly media?: readonly OutboundMedia[];
  /** Each in a row of its own. */
  readonly buttons?: readonly OutboundButton[];
  /** The answer is what this turn will say. */
  readonly turnId?: string;
  /** The row became an ordinary message: it stays in the inbox. */
  readonly keep?: boolean;
  /** Runs after the transaction: what lives in memory only. */
  readonly after?: () => void;
}

/** What a handler returns: gathers, then hands back the change to make inside the transaction. */
export type CommandChange = () => CommandOutcome;

export interface CommandCall<Name extends Command["name"] = Command["name"]> {
  readonly ports: SessionPorts;
  readonly item: InboxItem;
  readonly command: Extract<Command, { name: Name }>;
}

export async function runCommands(ports: SessionPorts): Promise<void> {
  for (;;) {
    const item = ports.store.inbox.list("waiting", "command", 1)[0];
    if (!item) return;
    await runCommand(ports, item);
  }
}

async function runCommand(ports: SessionPorts, item: InboxItem): Promise<void> {
  let change: CommandChange;
  try {
    change = await gather(ports, item);
  } catch (error) {
    ports.log.error("command.failed", { seq: item.seq, error: describeError(error) });
    change = () => ({ text: "That did not work, for a reason inside me. Please try again." });
  }
  const outcome = ports.store.transaction(() => apply(ports, item, change));
  if (!outcome) return;
  outcome.after?.();
  if (outcome.keep) return;
  if (outcome.turnId !== undefined) return followTurn(ports, item.seq, outcome.turnId);
  announceCommand(ports, item.seq);
}

/** Tells whoever waits for a command that it is done. */
export function announceCommand(ports: SessionPorts, seq: number): void {
  const text = commandText(ports, seq);
  ports.live.emit(messageTopic(seq), endedWithoutTurn("done", text, "command"));
}

/** Who waits for the command's answer waits for the turn's. */
function followTurn(ports: SessionPorts, seq: number, turnId: string): void {
  ports.live.bind([seq], turnId);
  if (ports.store.turns.get(turnId)?.status !== "running") announceEnd(ports, turnId);
}

async function gather(ports: SessionPorts, item: InboxItem): Promise<CommandChange> {
  const command = commandIn(ports, item.message);
  if (!command) return () => ({ text: "" });
  return commandHandlers(command, { ports, item });
}

/** Null: somebody else has carried it out meanwhile. */
function apply(ports: SessionPorts, item: InboxItem, change: CommandChange): CommandOutcome | null {
  if (ports.store.inbox.get(item.seq)?.status !== "waiting") return null;
  const outcome = change();
  if (outcome.keep) return outcome;
  ports.store.inbox.mark([item.seq], "done", outcome.turnId ?? null);
  if (outcome.text !== "" || outcome.media) {
    prepare(ports, {
      key: commandKey(item.seq),
      turnId: null,
      message: {
        kind: "command",
        text: outcome.text,
        ...(outcome.media ? { media: outcome.media } : {}),
        ...(outcome.buttons ? { buttons: outcome.buttons.map((button) => [button]) } : {}),
      },
      route: item.message.route,
    });
  }
  return outcome;
}

/** What a command that is done has answered: words of its own, or what it has shown again. */
export function commandText(ports: SessionPorts, seq: number): string {
  const { outbox, turns } = ports.store;
  const turn = turns.latest();
  const rows = [
    ...outbox.withPrefix(`${commandKey(seq)}:`),
    ...(turn ? outbox.ofTurn(turn.id).filter((row) => row.key.endsWith(`:again:${seq}`)) : []),
  ];
  return rows.map((row) => row.part.text).join("\n");
}

/** Prefix of the outbox keys of a command's answer. */
export function commandKey(seq: number): string {
  return `command:${seq}`;
}
