import type { IndexedSource, NewPassage, NewSource, Part } from "#contract/memory-index.ts";
import { scopeToken, wordsTable } from "./memory-words.ts";
import { vectorStatements } from "./memory-vectors.ts";

/**
 * The statements that replace a source. Passages that are the same are kept, wherever they now stand, so
 * that a line appended to a long note costs a few rows. Whoever works on an outdated reading fails: the
 * first statement sets a column that may not be null to null.
 */
export interface OldPassage {
  readonly id: number;
  readonly outside: number;
  readonly position: number;
  readonly line: number;
  readonly hash: string;
}

export interface OldState {
  readonly old: IndexedSource | null;
  readonly rows: readonly OldPassage[];
}

interface Target {
  readonly database: D1Database;
  readonly agentId: string;
}

/** Of JSON in one parameter: with room for what encoding adds, below what D1 takes. */
const PARAMETER_CHARACTERS = 400_000;

export function publishStatements(
  target: Target,
  source: NewSource,
  state: OldState,
): D1PreparedStatement[] {
  const { gone, moved, fresh } = difference(source.passages, state.rows);
  return [
    claim(target, source, state.old),
    ...deletePassages(target.database, gone),
    ...move(target.database, moved),
    ...insert(target, source, fresh),
    ...vectorStatements(target, source),
  ];
}

export function removeStatements(
  database: D1Database,
  sourceIds: readonly number[],
): D1PreparedStatement[] {
  const ids = JSON.stringify(sourceIds);
  const inSources = "source_id IN (SELECT value FROM json_each(?1))";
  const words = (table: string, outside: number) =>
    `DELETE FROM ${table} WHERE rowid IN
       (SELECT id FROM memory_passage WHERE ${inSources} AND outside = ${outside})`;
  return [
    words("memory_clean", 0),
    words("memory_outside", 1),
    `DELETE FROM memory_passage WHERE ${inSources}`,
    `DELETE FROM memory_vector WHERE ${inSources}`,
    "DELETE FROM memory_source WHERE id IN (SELECT value FROM json_each(?1))",
  ].map((sql) => database.prepare(sql).bind(ids));
}

interface Difference {
  readonly gone: readonly OldPassage[];
  readonly moved: readonly { readonly id: number; readonly position: number; line: number }[];
  readonly fresh: readonly NewPassage[];
}

function difference(passages: readonly NewPassage[], rows: readonly OldPassage[]): Difference {
  const known = new Map<string, OldPassage[]>();
  const keyOf = (part: Part, hash: string) => `${part}:${hash}`;
  for (const row of rows) {
    const key = keyOf(row.outside === 1 ? "outside" : "clean", row.hash);
    known.set(key, [...(known.get(key) ?? []), row]);
  }
  const fresh: NewPassage[] = [];
  const moved: { id: number; position: number; line: number }[] = [];
  for (const passage of passages) {
    const row = known.get(keyOf(passage.part, passage.hash))?.shift();
    const { position, line } = passage;
    if (!row) fresh.push(passage);
    else if (row.position !== position || row.line !== line) {
      moved.push({ id: row.id, position, line });
    }
  }
  return { gone: [...known.values()].flat(), moved, fresh };
}

function claim({ database, agentId }: Target, source: NewSource, old: IndexedSource | null) {
  const { path, kind, identity, date, hash, etag, passages, vectors } = source;
  const values = [agentId, path, kind, identity, date, hash, etag];
  const rest = [vectors?.model ?? null, passages.length];
  if (!old) {
    return database
      .prepare(
        `INSERT INTO memory_source
           (agent_id, path, kind, identity, date, hash, etag, generation, model, passages)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 1, ?8, ?9)`,
      )
      .bind(...values, ...rest);
  }
  return database
    .prepare(
      `INSERT INTO memory_source
         (agent_id, path, kind, identity, date, hash, etag, generation, model, passages)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 0, ?8, ?9)
       ON CONFLICT (agent_id, path) DO UPDATE SET
         kind = excluded.kind, identity = excluded.identity, date = excluded.date,
         hash = excluded.hash, etag = excluded.etag, model = excluded.model,
         passages = excluded.passages,
         generation = CASE WHEN generation = ?10 THEN ?10 + 1 ELSE NULL END`,
    )
    .bind(...values, ...rest, old.generation);
}

function deletePassages(database: D1Database, gone: readonly OldPassage[]): D1PreparedStatement[] {
  if (gone.length === 0) return [];
  const ids = (outside: number) =>
    JSON.stringify(gone.filter((row) => row.outside === outside).map(({ id }) => id));
  const inIds = "IN (SELECT value FROM json_each(?1))";
  return [
    database.prepare(`DELETE FROM memory_clean WHERE rowid ${inIds}`).bind(ids(0)),
    database.prepare(`DELETE FROM memory_outside WHERE rowid ${inIds}`).bind(ids(1)),
    database
      .prepare(`DELETE FROM memory_passage WHERE id ${inIds}`)
      .bind(JSON.stringify(gone.map(({ id }) => id))),
  ];
}

function move(database: D1Database, moved: Difference["moved"]): D1PreparedStatement[] {
  return jsonChunks(moved).map((rows) =>
    database
      .prepare(
        `UPDATE memory_passage SET position = m.value->>'position', line = m.value->>'line'
         FROM json_each(?1) AS m WHERE memory_passage.id = m.value->>'id'`,
      )
      .bind(rows),
  );
}

function insert(
  { database, agentId }: Target,
  { path, kind, identity }: NewSource,
  fresh: readonly NewPassage[],
): D1PreparedStatement[] {
  const sourceId = "(SELECT id FROM memory_source WHERE agent_id = ?1 AND path = ?2)";
  const passages = fresh.map(({ part, projects, self: _self, before: _b, after: _a, ...row }) => ({
    ...row,
    outside: part === "outside" ? 1 : 0,
    projects: projects.join("\n"),
    superseded: row.superseded ? 1 : 0,
  }));
  const scope = scopeToken(agentId, kind, identity);
  const wordsOf = (part: Part) =>
    fresh
      .filter((passage) => passage.part === part)
      .map(({ position, self, before, after }) => ({ position, self, before, after }));
  return [
    ...jsonChunks(passages).map((rows) =>
      database
        .prepare(
          `INSERT INTO memory_passage (source_id, outside, position, line, text, trust, importance,
             projects, superseded, hash)
           SELECT ${sourceId}, p.value->>'outside', p.value->>'position', p.value->>'line',
             p.value->>'text', p.value->>'trust', p.value->>'importance', p.value->>'projects',
             p.value->>'superseded', p.value->>'hash'
           FROM json_each(?3) AS p`,
        )
        .bind(agentId, path, rows),
    ),
    ...(["clean", "outside"] as const).flatMap((part) =>
      jsonChunks(wordsOf(part)).map((rows) =>
        database
          .prepare(
            `INSERT INTO ${wordsTable(part)} (rowid, self, before, after, scope)
             SELECT p.id, w.value->>'self', w.value->>'before', w.value->>'after', ?4
             FROM json_each(?3) AS w CROSS JOIN memory_passage AS p ON p.source_id = ${sourceId}
               AND p.outside = ${part === "outside" ? 1 : 0} AND p.position = w.value->>'position'`,
          )
          .bind(agentId, path, rows, scope),
      ),
    ),
  ];
}

/** Rows as JSON lists, each short enough for one parameter. */
function jsonChunks(rows: readonly object[]): string[] {
  const chunks: string[] = [];
  let chunk: string[] = [];
  let size = 0;
  for (const row of rows) {
    const text = JSON.stringify(row);
    if (chunk.length > 0 && size + text.length > PARAMETER_CHARACTERS) {
      chunks.push(`[${chunk.join(",")}]`);
      [chunk, size] = [[], 0];
    }
    chunk.push(text);
    size += text.length;
  }
  if (chunk.length > 0) chunks.push(`[${chunk.join(",")}]`);
  return chunks;
}
