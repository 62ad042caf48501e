import { isOneOff } from "#core/routing/session-key.ts";
import { isPinned } from "#core/state/pinned.ts";
import { describeError } from "#kit/redact.ts";
import { addressOf } from "#core/state/address.ts";
import { setSetting } from "#core/state/settings.ts";
import type { CommandCall, CommandChange } from "./command-run.ts";

/**
 * `/pin [off]`: of this conversation nothing is put away. The conversation decides by its own setting; the
 * agent is told first, so that it is listed so and not asked in vain.
 */
export async function pinChange({
  ports,
  item,
  command,
}: CommandCall<"pin">): Promise<CommandChange> {
  const { agent, key, log, store, config } = ports;
  if (command.isPinned && isOneOff(key)) return () => ({ text: NOT_HERE });
  try {
    await agent.pinSession(key, command.isPinned);
  } catch (error) {
    log.warn("session.not_pinned", { session: key, error: describeError(error) });
    // A call that was given up may still arrive.
    return () => ({ text: UNSURE });
  }
  const address = addressOf(item.message.route);
  const isConfigured = isPinned(config.session.retention.pinned, { sessionKey: key, address });
  return () => {
    if (command.isPinned) setSetting(store.settings, "pinned", true);
    else store.settings.delete("pinned");
    return { text: command.isPinned ? PINNED : isConfigured ? CONFIGURED : UNPINNED };
  };
}

const NOT_HERE =
  "Not pinned: this conversation is of one request, and ends two days after its last message. One that names a `user` stays, and can be pinned.";
const UNSURE =
  "That may not have been noted: the list of conversations may show it already, but what is archived still goes by what was before. Please try again.";
const PINNED =
  "Pinned: all of this conversation stays at hand, however old, long or unused it gets. What is archived already stays there. /pin off ends it.";
const UNPINNED = "No longer pinned: old parts of this conversation may be archived again.";
const CONFIGURED =
  "No longer pinned by you, but it stays so by the configuration (`session.retention.pinned`).";
