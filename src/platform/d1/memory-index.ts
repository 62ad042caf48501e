import type {
  IndexedSource,
  MatchedPassage,
  MemoryIndex,
  Part,
  PassageSpan,
  Scope,
  Stretch,
  TermQuery,
} from "#contract/memory-index.ts";
import { eraseStep } from "./memory-erase.ts";
import { migrateD1 } from "./migrate.ts";
import { publishStatements, removeStatements, type OldPassage } from "./memory-publish.ts";
import {
  matched,
  passageColumns,
  sourceColumns,
  sourceOfRow,
  stored,
  type MatchedColumns,
  type PassageColumns,
  type SourceColumns,
} from "./memory-rows.ts";
import { bestRows, scopeExpression, scopeTokens, termList, wordsTable } from "./memory-words.ts";
import { createPackedVectors } from "./memory-vectors.ts";
import { createRecalls } from "./memory-recalls.ts";

/**
 * MemoryIndex on D1. Lists go in as one JSON parameter each, so that no statement nears the limits of D1, and
 * are joined by CROSS JOIN, which SQLite runs in the order it stands in: left to itself it scans whole tables
 * for a handful of rows. One batch replaces a source: it is one transaction, and fails where another writer was
 * faster.
 */
export function createMemoryIndex(database: D1Database, agentId: string): MemoryIndex {
  const vectors = {
    clean: createPackedVectors(database, agentId, "clean"),
    outside: createPackedVectors(database, agentId, "outside"),
  };
  return {
    ...createReads(database, agentId),
    ...createWrites(database, agentId),
    ...createRecalls(database, agentId),
    vectors: (part) => vectors[part],
  };
}

type Reads = Pick<MemoryIndex, "sources" | "source" | "match" | "passages" | "named" | "counts">;

function createReads(database: D1Database, agentId: string): Reads {
  return {
    async sources(stretch) {
      return (await sourceRows(database, agentId, stretch)).map(sourceOfRow);
    },
    source: (path) => findSource(database, agentId, path),

    match: (query) => match(database, agentId, query),

    async passages(part: Part, spans: readonly PassageSpan[]) {
      await migrateD1(database);
      const { results } = await database
        .prepare(
          `SELECT ${passageColumns} FROM json_each(?1) AS span
           CROSS JOIN memory_passage AS p ON p.source_id = span.value->>'sourceId' AND p.outside = ?2
             AND p.position BETWEEN span.value->>'first' AND span.value->>'last'
           CROSS JOIN memory_source AS s ON s.id = p.source_id
           WHERE s.agent_id = ?3`,
        )
        .bind(JSON.stringify(spans), part === "outside" ? 1 : 0, agentId)
        .all<PassageColumns>();
      return results.map(stored);
    },

    async named(names: readonly string[], scope: Scope) {
      const asked = names.map((name) => name.toLowerCase());
      return (await sourceRows(database, agentId))
        .filter(({ path }) => {
          const lower = path.toLowerCase();
          return asked.includes(lower) || asked.includes(lower.slice(lower.lastIndexOf("/") + 1));
        })
        .filter(({ kind, identity }) => {
          if (!scope.kinds.includes(kind)) return false;
          return kind !== "session" || (identity !== null && identity === scope.identity);
        })
        .map(sourceOfRow);
    },

    async counts() {
      await migrateD1(database);
      const row = await database
        .prepare(
          `SELECT COUNT(*) AS sources, COALESCE(SUM(passages), 0) AS passages
           FROM memory_source WHERE agent_id = ?1`,
        )
        .bind(agentId)
        .first<{ sources: number; passages: number }>();
      return row ?? { sources: 0, passages: 0 };
    },
  };
}

async function match(
  database: D1Database,
  agentId: string,
  query: TermQuery,
): Promise<MatchedPassage[]> {
  const { part, scope, limit } = query;
  await migrateD1(database);
  const { results } = await database
    .prepare(
      `SELECT ${passageColumns}, hit.score FROM (${bestRows(wordsTable(part))}) AS hit
       CROSS JOIN memory_passage AS p ON p.id = hit.id
       CROSS JOIN memory_source AS s ON s.id = p.source_id
       WHERE s.agent_id = ?4`,
    )
    .bind(termList(query), scopeExpression(scopeTokens(agentId, scope)), limit, agentId)
    .all<MatchedColumns>();
  return results.map(matched).sort((a, b) => b.score - a.score);
}

type Writes = Pick<MemoryIndex, "publish" | "touch" | "remove" | "clear" | "eraseRemovedWords">;

function createWrites(database: D1Database, agentId: string): Writes {
  return {
    async publish(source) {
      const old = await findSource(database, agentId, source.path);
      const rows = old ? await oldPassages(database, old.id) : [];
      await database.batch(publishStatements({ database, agentId }, source, { old, rows }));
      const published = await findSource(database, agentId, source.path);
      if (!published) throw new Error(`${source.path} was removed while it was published`);
      return published;
    },

    async touch(path, etag) {
      await migrateD1(database);
      await database
        .prepare("UPDATE memory_source SET etag = ?3 WHERE agent_id = ?1 AND path = ?2")
        .bind(agentId, path, etag)
        .run();
    },

    async remove(path) {
      const old = await findSource(database, agentId, path);
      if (old) await database.batch(removeStatements(database, [old.id]));
      return old;
    },

    eraseRemovedWords: (cursor) => eraseStep(database, cursor),

    async clear() {
      const ids = (await sourceRows(database, agentId)).map(({ id }) => id);
      if (ids.length > 0) await database.batch(removeStatements(database, ids));
    },
  };
}

const everything: Stretch = { after: "", upTo: null };

async function sourceRows(
  database: D1Database,
  agentId: string,
  { after, upTo }: Stretch = everything,
): Promise<SourceColumns[]> {
  await migrateD1(database);
  const { results } = await database
    .prepare(
      `SELECT ${sourceColumns} FROM memory_source
       WHERE agent_id = ?1 AND path > ?2 ${upTo === null ? "" : "AND path <= ?3"} ORDER BY path`,
    )
    .bind(agentId, after, ...(upTo === null ? [] : [upTo]))
    .all<SourceColumns>();
  return results;
}

async function findSource(
  database: D1Database,
  agentId: string,
  path: string,
): Promise<IndexedSource | null> {
  await migrateD1(database);
  const row = await database
    .prepare(`SELECT ${sourceColumns} FROM memory_source WHERE agent_id = ?1 AND path = ?2`)
    .bind(agentId, path)
    .first<SourceColumns>();
  return row && sourceOfRow(row);
}

async function oldPassages(database: D1Database, sourceId: number): Promise<OldPassage[]> {
  const { results } = await database
    .prepare("SELECT id, outside, position, line, hash FROM memory_passage WHERE source_id = ?1")
    .bind(sourceId)
    .all<OldPassage>();
  return results;
}
