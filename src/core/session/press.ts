import type { ParsedMessage, OutboundButton } from "#contract/message.ts";
import { commandOf, parseCommand, type Command } from "#core/routing/command.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { getSetting } from "#core/state/settings.ts";
import { frameId, frameSecret } from "#core/turn/frame.ts";

/**
 * Buttons that stand for a command. What comes back is the command only if this conversation has made the
 * button: its payload carries a proof, which nobody who chooses labels and payloads, a model least of all, can know.
 */
const payload = /^cmd:([0-9a-f]{16}):(\/.+)$/;

export function commandButton(ports: SessionPorts, label: string, command: string): OutboundButton {
  return { label, data: `cmd:${proofOf(frameSecret(ports), command)}:${command}` };
}

/** The command that a message is, in words or by such a button. */
export function commandIn(
  { store }: Pick<SessionPorts, "store">,
  message: Pick<ParsedMessage, "text" | "forwarded" | "action" | "mentionsSelf" | "route">,
): Command | null {
  const [, proof, command = ""] = payload.exec(message.action ?? "") ?? [];
  if (proof === undefined) return commandOf(message);
  const secret = getSetting(store.settings, "frameSecret");
  if (secret === undefined || proof !== proofOf(secret, command)) return null;
  return parseCommand(command)?.command ?? null;
}

function proofOf(secret: string, command: string): string {
  return frameId(secret, `press:${command}`);
}
