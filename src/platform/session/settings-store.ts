import { eq } from "drizzle-orm";
import type { SettingsStore } from "#contract/session-store.ts";
import type { SessionDatabase } from "./database.ts";
import { setting } from "./schema.ts";

/**
 * Named values. Read once per object life and kept in memory: this object is their only writer, and
 * a transaction that rolls back calls `forget`.
 */
export function createSettingsStore(database: SessionDatabase): SettingsStore & { forget(): void } {
  let cache: Map<string, typeof setting.$inferSelect.value> | null = null;
  const values = () => {
    cache ??= new Map(
      database
        .select()
        .from(setting)
        .all()
        .map((row) => [row.name, row.value]),
    );
    return cache;
  };
  return {
    get: (name) => values().get(name),
    set(name, value) {
      if (values().get(name) === value) return;
      database
        .insert(setting)
        .values({ name, value })
        .onConflictDoUpdate({ target: setting.name, set: { value } })
        .run();
      values().set(name, value);
    },
    delete(name) {
      database.delete(setting).where(eq(setting.name, name)).run();
      values().delete(name);
    },
    forget() {
      cache = null;
    },
  };
}
