import type { ReplyRoute } from "#contract/message.ts";
import type { SessionPorts } from "./ports.ts";
import { getSetting } from "./settings.ts";

/** What core/agent/memory-access.ts goes by in this conversation. */
export function memoryRules(
  ports: Pick<SessionPorts, "config" | "store" | "channel">,
  route: ReplyRoute,
) {
  return {
    config: ports.config,
    off: getSetting(ports.store.settings, "memoryOff") !== undefined,
    caseSensitiveIds: ports.channel(route)?.capabilities.caseSensitiveIds ?? true,
  };
}
