import { and, eq, gte, lt } from "drizzle-orm";
import type { VectorNotes } from "#contract/vector-store.ts";
import type { AgentDatabase } from "./database.ts";
import { setting } from "./schema.ts";

/** Notes of a vector store beside the agent's settings, each under the store's name and the source's id. */
export function createVectorNotes(database: AgentDatabase, store: string): VectorNotes {
  const prefix = `vectors/${store}/`;
  const name = (sourceId: number) => `${prefix}${sourceId}`;
  // "0" is what follows "/".
  const own = and(gte(setting.name, prefix), lt(setting.name, `vectors/${store}0`));
  return {
    all() {
      const rows = database.select().from(setting).where(own).all();
      return new Map(rows.map((row) => [Number(row.name.slice(prefix.length)), row.value]));
    },
    set(sourceId, value) {
      database
        .insert(setting)
        .values({ name: name(sourceId), value })
        .onConflictDoUpdate({ target: setting.name, set: { value } })
        .run();
    },
    remove(sourceId) {
      database
        .delete(setting)
        .where(eq(setting.name, name(sourceId)))
        .run();
    },
  };
}
