import type { Bootstrap } from "#contract/agent-port.ts";
import type { BootstrapCache } from "#core/workspace/bootstrap.ts";
import type { IntentBook } from "#core/memory/intent-book.ts";

/** What every step is given, with the standing intents that may come up: a session matches them itself. */
export function withIntents(cache: BootstrapCache, book: IntentBook): BootstrapCache {
  return {
    ...cache,
    async current(): Promise<Bootstrap | null> {
      const known = await cache.current();
      if (!known) return null;
      const intents = book.armed();
      if (intents.length === 0) return known;
      const stamp = intents.map(({ id, fires }) => `${id}.${fires}`).join();
      return { ...known, version: `${known.version}:${stamp}`, intents };
    },
  };
}
