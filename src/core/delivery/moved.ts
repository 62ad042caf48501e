import type { ReplyRoute } from "#contract/message.ts";
import type { Turn } from "#contract/turn.ts";
import { followMove } from "#core/routing/origin.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { getSetting, setSetting } from "#core/state/settings.ts";
import { describeError } from "#kit/redact.ts";

type Where = Pick<ReplyRoute, "channel" | "conversation">;

/**
 * A conversation got a new id (a group became a supergroup): what is open here follows it, so that a
 * question that was asked under the old one is answered under the new. Safe to repeat.
 */
export function moveRoutes(ports: SessionPorts, from: Where, to: string): void {
  const { settings, turns, inbox } = ports.store;
  const before = getSetting(settings, "movedTo");
  if (before === to) return;
  // It may have moved before.
  const former = [from.conversation, ...(before === undefined ? [] : [before])];
  const isFormer = (route: ReplyRoute) =>
    route.channel === from.channel && former.includes(route.conversation);
  const follow = (route: ReplyRoute): ReplyRoute => ({ ...route, conversation: to });
  const last = getSetting(settings, "lastRoute");
  if (last && isFormer(last)) setSetting(settings, "lastRoute", follow(last));
  const running = turns.running();
  const open: Turn[] = [...(running ? [running] : []), ...turns.parked()];
  for (const { id, detail } of open) {
    if (!isFormer(detail.route)) continue;
    turns.update(id, { detail: { ...detail, route: follow(detail.route) } });
  }
  for (const id of former) inbox.moveConversation(from.channel, id, to);
  setSetting(settings, "movedTo", to);
}

/**
 * What a send has found out, for messages that come in under the new id. Mostly the platform's own
 * notice was first. While it cannot be written down the next send finds it out again.
 */
export async function learnMove(ports: SessionPorts, from: Where, to: string): Promise<void> {
  try {
    const { channel, conversation } = from;
    if (!(await followMove(ports.origins, { channel, from: conversation, to }))) return;
    ports.store.transaction(() => moveRoutes(ports, from, to));
    ports.log.info("conversation.moved", { session: ports.key });
  } catch (error) {
    ports.log.warn("conversation.move_unknown", {
      session: ports.key,
      error: describeError(error),
    });
  }
}
