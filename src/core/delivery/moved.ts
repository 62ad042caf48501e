import type { ReplyRoute } from "#contract/message.ts";
import type { SessionPorts } from "#core/state/ports.ts";
import { getSetting, setSetting } from "#core/state/settings.ts";

/** A conversation got a new id (a group became a supergroup): later sends follow it. */
export function moveRoutes(
  ports: SessionPorts,
  from: ReplyRoute,
  to: { readonly conversation: string; readonly thread?: string },
): void {
  const follow = (route: ReplyRoute): ReplyRoute => {
    const same = route.channel === from.channel && route.conversation === from.conversation;
    return same ? { ...route, conversation: to.conversation } : route;
  };
  const { settings, turns } = ports.store;
  const last = getSetting(settings, "lastRoute");
  if (last) setSetting(settings, "lastRoute", follow(last));
  const turn = turns.running();
  if (turn) {
    turns.update(turn.id, { detail: { ...turn.detail, route: follow(turn.detail.route) } });
  }
}
