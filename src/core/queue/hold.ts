import type { InboxKind } from "#contract/inbox.ts";
import type { InboundMessage } from "#contract/message.ts";

/**
 * How long a message is held back before a turn may take it: the parts of an album come one by one
 * and belong together, and a burst of short texts can be gathered when the channel is set so. What is
 * held joins later ones in queue/unit.ts, where each new part also prolongs the hold.
 */
export const ALBUM_HOLD_MS = 1_000;

/** A burst that never pauses, or an album that never ends, is taken after this long. */
export const MAX_HOLD_MS = 15_000;

/** `notBefore` of a message that arrives now. Commands, buttons and single files are never held. */
export function holdUntil(
  message: Pick<InboundMessage, "albumId" | "attachments" | "action" | "receivedAt">,
  kind: InboxKind,
  debounceMs: number,
): number {
  if (kind === "command" || message.action !== undefined) return message.receivedAt;
  if (message.albumId !== undefined) return message.receivedAt + ALBUM_HOLD_MS;
  return message.attachments.length > 0 ? message.receivedAt : message.receivedAt + debounceMs;
}
