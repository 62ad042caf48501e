import type { ReplyRoute } from "#contract/message.ts";
import type { Turn } from "#contract/turn.ts";
import { addressOf } from "#core/state/address.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { getSetting, setSetting } from "#core/state/settings.ts";

/**
 * A conversation got a new id (a group became a supergroup): what is open here follows it, so that a
 * question that was asked under the old one is answered under the new. Safe to repeat.
 */
export function moveRoutes(
  ports: SessionPorts,
  from: ReplyRoute,
  to: Pick<ReplyRoute, "conversation">,
): void {
  const isFormer = (route: ReplyRoute) =>
    route.channel === from.channel && route.conversation === from.conversation;
  const follow = (route: ReplyRoute): ReplyRoute => ({ ...route, conversation: to.conversation });
  const { settings, turns } = ports.store;
  const last = getSetting(settings, "lastRoute");
  if (last && isFormer(last)) setSetting(settings, "lastRoute", follow(last));
  const running = turns.running();
  const open: Turn[] = [...(running ? [running] : []), ...turns.parked()];
  for (const { id, detail } of open) {
    if (!isFormer(detail.route)) continue;
    turns.update(id, { detail: { ...detail, route: follow(detail.route) } });
  }
}

/**
 * What a send has found out, for messages that come in under the new id. Mostly the platform's own
 * notice was first. If the new id has a conversation already, that one stays what it is.
 */
export async function recordMove(
  ports: SessionPorts,
  from: ReplyRoute,
  to: Pick<ReplyRoute, "conversation">,
): Promise<void> {
  // A direct chat is known by its person.
  if (from.kind === "direct") return;
  const { channel, thread: _, ...rest } = from;
  const address = addressOf({ ...rest, channel, conversation: to.conversation });
  const known = await ports.agent.findSession(address);
  if (known !== null && known.sessionKey !== ports.key) return;
  await ports.moves.record({ channel, from: from.conversation, to: to.conversation });
  ports.log.info("conversation.moved", { session: ports.key });
}
