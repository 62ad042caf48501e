import type { MemoryIndex, Recall } from "#contract/memory-index.ts";
import { migrateD1 } from "./migrate.ts";

/** What searches found, in D1: evidence for dreaming. Not derived from the files of the memory. */
type Recalls = Pick<MemoryIndex, "addRecalls" | "recallsSince" | "removeRecalls" | "dropRecalls">;

const recallColumns = `line_hash AS lineHash, path, query_hash AS queryHash, day, score, rank,
  session_key AS sessionKey, at`;

export function createRecalls(database: D1Database, agentId: string): Recalls {
  return {
    async addRecalls(recalls: readonly Recall[]) {
      if (recalls.length === 0) return;
      await migrateD1(database);
      await database
        .prepare(
          `INSERT INTO memory_recall
             (agent_id, line_hash, query_hash, day, path, score, rank, session_key, at)
           SELECT ?1, r.value->>'lineHash', r.value->>'queryHash', r.value->>'day',
             r.value->>'path', r.value->>'score', r.value->>'rank', r.value->>'sessionKey',
             r.value->>'at'
           FROM json_each(?2) AS r WHERE true ON CONFLICT DO NOTHING`,
        )
        .bind(agentId, JSON.stringify(recalls))
        .run();
    },

    async recallsSince(day, limit) {
      await migrateD1(database);
      const { results } = await database
        .prepare(
          `SELECT ${recallColumns} FROM memory_recall WHERE agent_id = ?1 AND day >= ?2
           ORDER BY day DESC, at DESC, line_hash, query_hash LIMIT ?3`,
        )
        .bind(agentId, day, limit)
        .all<Recall>();
      return results;
    },

    async removeRecalls(lineHashes) {
      if (lineHashes.length === 0) return;
      await migrateD1(database);
      await database
        .prepare(
          `DELETE FROM memory_recall
           WHERE agent_id = ?1 AND line_hash IN (SELECT value FROM json_each(?2))`,
        )
        .bind(agentId, JSON.stringify(lineHashes))
        .run();
    },

    async dropRecalls(beforeDay) {
      await migrateD1(database);
      await database
        .prepare("DELETE FROM memory_recall WHERE agent_id = ?1 AND day < ?2")
        .bind(agentId, beforeDay)
        .run();
    },
  };
}
