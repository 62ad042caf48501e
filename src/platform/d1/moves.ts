import { and, eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { Move, MoveLog } from "#contract/moves.ts";
import { migrateD1 } from "./migrate.ts";
import { moved } from "./schema.ts";

/** MoveLog on D1. */
export function createMoveLog(database: D1Database): MoveLog {
  const db = drizzle(database);
  const formerId = async (channel: string, conversation: string): Promise<string | null> => {
    const which = and(eq(moved.channel, channel), eq(moved.conversation, conversation));
    try {
      const row = await db.select({ former: moved.former }).from(moved).where(which).get();
      return row?.former ?? null;
    } catch (error) {
      // Somebody waits for the answer: the table is made by the first write.
      if (/no such table/.test(causes(error))) return null;
      throw error;
    }
  };
  return {
    async record({ channel, from, to }: Move) {
      await migrateD1(database);
      const former = (await formerId(channel, from)) ?? from;
      await db.insert(moved).values({ channel, conversation: to, former }).onConflictDoNothing();
    },
    formerId,
  };
}

/** What an error and what caused it say. */
function causes(error: unknown): string {
  return error instanceof Error ? `${error.message} ${causes(error.cause)}` : "";
}
