import { and, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { Origins, Place } from "#contract/origins.ts";
import { migrateD1 } from "./migrate.ts";
import { origin as table } from "./schema.ts";

/** Origins on D1. */
export function createOrigins(database: D1Database): Origins {
  const db = drizzle(database);
  const find = async ({ channel, conversation }: Place): Promise<string | null> => {
    await migrateD1(database);
    const row = await db
      .select({ origin: table.origin })
      .from(table)
      .where(and(eq(table.channel, channel), eq(table.conversation, conversation)))
      .get();
    return row?.origin ?? null;
  };
  return {
    find,
    async decide(place, origin) {
      await migrateD1(database);
      const { channel, conversation } = place;
      await db.insert(table).values({ channel, conversation, origin }).onConflictDoNothing();
      return (await find(place)) ?? origin;
    },
  };
}
