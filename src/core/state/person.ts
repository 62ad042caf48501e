import type { ReplyRoute, Sender } from "#contract/message.ts";
import { linkedPerson } from "#core/routing/identity.ts";
import type { SessionPorts } from "./ports.ts";

/**
 * Who somebody is across channels: the name they are linked under, else `channel:id`. Null where that
 * cannot be told, because the channel is not set up or names nobody: then nothing of anybody's is theirs.
 */
export function personOf(
  { channel, config }: Pick<SessionPorts, "channel" | "config">,
  { route, sender }: { readonly route: ReplyRoute; readonly sender: Pick<Sender, "id"> },
): string | null {
  const known = channel(route);
  if (!known || sender.id === "") return null;
  const { caseSensitiveIds } = known.capabilities;
  const peer = { channel: route.channel, id: sender.id, caseSensitiveIds };
  const linked = linkedPerson(peer, config.session.identityLinks, false);
  if (linked !== undefined) return linked;
  return `${route.channel}:${caseSensitiveIds ? sender.id : sender.id.toLowerCase()}`;
}
