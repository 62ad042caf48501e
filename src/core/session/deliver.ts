import type { OutboundMessage } from "#contract/message.ts";
import type { Result } from "#contract/result.ts";
import type { Notice } from "#contract/session-rpc.ts";
import { err, ok } from "#contract/result.ts";
import { estimateTextMessage } from "#kit/tokens.ts";
import { drain } from "#core/delivery/drain.ts";
import { prepare } from "#core/delivery/outbox.ts";
import { appendEntry } from "#core/turn/ingest.ts";
import { markBusy } from "./accept.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { currentSessionId } from "#core/state/reset.ts";
import { getSetting } from "#core/state/settings.ts";

/**
 * Says something in this conversation on behalf of somebody else (another session of the agent), and
 * remembers it, so that the next turn knows it was said. Exactly once under `key`. The place is where
 * the conversation last was: never a guess.
 */
export async function deliver(
  ports: SessionPorts,
  message: OutboundMessage,
  key: string,
): Promise<Result<string, string>> {
  const route = getSetting(ports.store.settings, "lastRoute");
  if (!route) return err("That conversation has never been heard from; it has no address.");
  if (!ports.channel(route)) return err(`${route.channel} is not set up.`);
  await markBusy(ports, route);
  const fresh = ports.store.transaction(() => {
    const outboxKey = `deliver:${key}`;
    if (ports.store.outbox.withPrefix(`${outboxKey}:`).length > 0) return false;
    prepare(ports, { key: outboxKey, turnId: null, message, route });
    const { text } = message;
    appendEntry(ports, {
      sessionId: currentSessionId(ports),
      turnId: null,
      at: ports.now(),
      role: "assistant",
      trust: "agent",
      tokens: estimateTextMessage(text),
      content: [{ type: "text", text }],
      status: "complete",
    });
    ports.store.setAlarm(ports.now());
    return true;
  });
  ports.background(drain(ports));
  const { conversation, channel } = route;
  return ok(`${fresh ? "Queued" : "Already queued"} for ${channel}:${conversation}.`);
}

/**
 * A single word from the Worker to somebody who has no conversation here (a stranger): needs no
 * transcript, is sent once under `key`.
 */
export async function deliverNotice(
  ports: SessionPorts,
  notice: Notice,
  key: string,
): Promise<void> {
  await markBusy(ports, notice.route);
  ports.store.transaction(() => {
    const message = { kind: "notice", text: notice.text } as const;
    prepare(ports, { key: `notice:${key}`, turnId: null, message, route: notice.route });
    ports.store.setAlarm(ports.now());
  });
  ports.background(drain(ports));
}
