import { addressOf } from "./address.ts";
import type { SessionPorts } from "./ports.ts";
import { getSetting } from "./settings.ts";

/** Is a conversation among those of which nothing is put away? By its key or its address, without case. */
export function isPinned(
  pinned: readonly string[],
  { sessionKey, address }: { readonly sessionKey: string; readonly address?: string | null },
): boolean {
  const names = pinned.map((name) => name.toLowerCase());
  const own = [sessionKey, ...(address ? [address] : [])].map((name) => name.toLowerCase());
  return own.some((name) => names.includes(name));
}

/** By its owner's `/pin`, or by the configuration. */
export function isPinnedHere({
  config,
  key,
  store: { settings },
}: Pick<SessionPorts, "config" | "key" | "store">): "command" | "configuration" | null {
  if (getSetting(settings, "pinned")) return "command";
  const { pinned } = config.session.retention;
  const route = pinned.length === 0 ? undefined : getSetting(settings, "lastRoute");
  const address = route ? addressOf(route) : null;
  return isPinned(pinned, { sessionKey: key, address }) ? "configuration" : null;
}
