import { eq } from "drizzle-orm";
import type { AgentDatabase } from "./database.ts";
import { setting } from "./schema.ts";

/** Small facts an agent remembers, one text each under a name. */
export interface AgentSettings {
  get(name: string): string | null;
  set(name: string, value: string): void;
}

export function createAgentSettings(database: AgentDatabase): AgentSettings {
  return {
    get(name) {
      return database.select().from(setting).where(eq(setting.name, name)).get()?.value ?? null;
    },
    set(name, value) {
      database
        .insert(setting)
        .values({ name, value })
        .onConflictDoUpdate({ target: setting.name, set: { value } })
        .run();
    },
  };
}
