import type { Intent, IntentStore } from "#contract/intent.ts";
import { createIntentBook, type IntentBook } from "#core/memory/intent-book.ts";

/** Standing intents in memory. */
export function memoryIntents(now: () => number): IntentBook {
  return createIntentBook(memoryIntentStore(), now);
}

export function memoryIntentStore(): IntentStore {
  const rows = new Map<string, Intent>();
  const all = () => [...rows.values()].toSorted((a, b) => a.createdAt - b.createdAt);
  return {
    get: (id) => rows.get(id) ?? null,
    armed: () => all().filter(({ status }) => status === "armed"),
    closed: (limit) =>
      all()
        .filter(({ status }) => status !== "armed")
        .toReversed()
        .slice(0, limit),
    put: (intent) => void rows.set(intent.id, intent),
    remove: (id) => void rows.delete(id),
  };
}
