import type { SessionPorts } from "./ports.ts";
import { getSetting } from "./settings.ts";

/** What this conversation is about, the latest used first: entries of it count more in a search. */
export function activeProjects({ store }: Pick<SessionPorts, "store">): readonly string[] {
  return getSetting(store.settings, "projects") ?? [];
}
