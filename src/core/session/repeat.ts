import type { AcceptEnvelope, InboxPlace } from "#contract/inbox.ts";
import type { InboundMessage } from "#contract/message.ts";
import type { Turn } from "#contract/turn.ts";
import type { SessionPorts } from "#core/state/ports.ts";

/**
 * Has this message been accepted before? A platform that delivers again is recognised by two keys,
 * whatever became of the message. A caller who waits for the answer (`contentHash` is set) may also
 * ask again on purpose: under the same key it gets what there is, unless that failed; a retry without
 * a key is known by its content only and so belongs to what is under way or has only just been
 * answered or stopped. The trade-off: the same words twice within two minutes, the second marked as a retry
 * whose first try never arrived, are taken for one request.
 */
const LOOK_BACK_MS = 24 * 3_600_000;
const JUST_NOW_MS = 2 * 60_000;

/** The row that has this message already; null = it is new, and its keys are free. */
export function repeatOf(ports: SessionPorts, envelope: AcceptEnvelope): number | null {
  const { inbox } = ports.store;
  const { contentHash, isRetry, message } = envelope;
  const same = inbox.findDuplicate(dedupeKeys(message));
  if (same && (contentHash === undefined || !hasFailed(ports, same))) return same.seq;
  if (same) {
    inbox.releaseKeys(same.seq);
    return null;
  }
  if (!isRetry || contentHash === undefined) return null;
  const earlier = inbox.findByContent(contentHash, ports.now() - LOOK_BACK_MS);
  return earlier && isUnderWay(ports, earlier) ? earlier.seq : null;
}

function hasFailed(ports: SessionPorts, item: InboxPlace): boolean {
  return turnOf(ports, item)?.status === "failed";
}

/** Will this row be answered, or has it just been answered well, or been stopped on purpose? */
function isUnderWay(ports: SessionPorts, item: InboxPlace): boolean {
  const turn = turnOf(ports, item);
  const recently = ports.now() - JUST_NOW_MS;
  switch (turn?.status) {
    case "running":
    case "parked":
      return true;
    case "done":
    case "aborted":
      // Who stopped it does not want it begun anew by a client that only missed how it ended.
      return (turn.endedAt ?? 0) > recently;
    case "failed":
      return false;
    case undefined:
      // A command is carried out at once and has no turn.
      return item.status !== "done" || (item.kind === "command" && item.receivedAt > recently);
  }
}

function turnOf(ports: SessionPorts, item: InboxPlace): Turn | null {
  return item.turnId === null ? null : ports.store.turns.get(item.turnId);
}

/** Two keys, either of which drops a repeat. */
export function dedupeKeys(message: InboundMessage): {
  readonly deliveryKey: string;
  readonly identityKey: string;
} {
  const { channel, account, route, deliveryId, platformMessageId } = message;
  return {
    deliveryKey: JSON.stringify([channel, account, deliveryId]),
    identityKey: JSON.stringify([
      channel,
      account,
      route.conversation,
      route.thread ?? "",
      platformMessageId,
    ]),
  };
}
