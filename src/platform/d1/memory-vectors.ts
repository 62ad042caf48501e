import type { NewSource, PackedRows, Part } from "#contract/memory-index.ts";
import type { PackedVectors, SourceHead, SourceVectors } from "#contract/vector-store.ts";

/**
 * Vectors in D1: a thousand to a row. Ids of outside parts are negative, as everywhere in the stores
 * (core/memory/candidates.ts): the two never meet, even where one index holds both.
 */
const ROWS = 1_000;
/** Of one row before it becomes Base64; after that it still is below what D1 takes. */
const ROW_BYTES = 1_300_000;
/** Sources read at once. */
const PAGE = 40;

export function vectorStatements(
  { database, agentId }: { readonly database: D1Database; readonly agentId: string },
  { path, vectors }: NewSource,
): D1PreparedStatement[] {
  const sourceId = "(SELECT id FROM memory_source WHERE agent_id = ?1 AND path = ?2)";
  const cleared = database
    .prepare(`DELETE FROM memory_vector WHERE source_id = ${sourceId}`)
    .bind(agentId, path);
  if (!vectors) return [cleared];
  const { model, dimensions } = vectors;
  const added = (["clean", "outside"] as const).flatMap((part) =>
    chunks(vectors[part], dimensions).map(({ positions, data }, chunk) =>
      database
        .prepare(
          `INSERT INTO memory_vector
             (source_id, outside, chunk, generation, model, dimensions, positions, data)
           SELECT id, ?3, ?4, generation, ?5, ?6, ?7, ?8 FROM memory_source
           WHERE agent_id = ?1 AND path = ?2`,
        )
        .bind(
          agentId,
          path,
          part === "outside" ? 1 : 0,
          chunk,
          model,
          dimensions,
          JSON.stringify(positions),
          toBase64(data),
        ),
    ),
  );
  return [cleared, ...added];
}

function chunks({ positions, data }: PackedRows, dimensions: number): PackedRows[] {
  const size = Math.max(1, Math.min(ROWS, Math.floor(ROW_BYTES / dimensions)));
  const result: PackedRows[] = [];
  for (let at = 0; at < positions.length; at += size) {
    result.push({
      positions: positions.slice(at, at + size),
      data: data.subarray(at * dimensions, (at + size) * dimensions),
    });
  }
  return result;
}

interface Columns {
  readonly sourceId: number;
  readonly generation: number;
  readonly model: string;
  readonly dimensions: number;
  readonly positions: string;
  readonly data: string;
}

export function createPackedVectors(
  database: D1Database,
  agentId: string,
  part: Part,
): PackedVectors {
  const outside = part === "outside" ? 1 : 0;
  const sign = part === "outside" ? -1 : 1;

  async function read(model: string, sourceIds: readonly number[]): Promise<SourceVectors[]> {
    const { results } = await database
      .prepare(
        `SELECT v.source_id AS sourceId, v.generation, v.model, v.dimensions, v.positions, v.data
         FROM json_each(?1) AS id CROSS JOIN memory_vector AS v ON v.source_id = id.value AND v.outside = ?2
         CROSS JOIN memory_source AS s ON s.id = v.source_id
         WHERE v.model = ?3 AND s.agent_id = ?4 ORDER BY v.source_id, v.chunk`,
      )
      .bind(JSON.stringify(sourceIds.map(Math.abs)), outside, model, agentId)
      .all<Columns>();
    return joined(results).map((source) => ({ ...source, sourceId: sign * source.sourceId }));
  }

  async function heads(model: string): Promise<SourceHead[]> {
    const { results } = await database
      .prepare(
        `SELECT v.source_id AS sourceId, v.generation FROM memory_source AS s
         JOIN memory_vector AS v ON v.source_id = s.id AND v.outside = ?2 AND v.chunk = 0
         WHERE s.agent_id = ?3 AND v.model = ?1 ORDER BY v.source_id`,
      )
      .bind(model, outside, agentId)
      .all<SourceHead>();
    return results.map((head) => ({ ...head, sourceId: sign * head.sourceId }));
  }

  return {
    heads,
    of: read,
    async *all(model) {
      const ids = (await heads(model)).map(({ sourceId }) => sourceId);
      for (let at = 0; at < ids.length; at += PAGE)
        yield* await read(model, ids.slice(at, at + PAGE));
    },
  };
}

/** Rows of one source, which come one after another, as one. */
function joined(rows: readonly Columns[]): SourceVectors[] {
  const bySource = new Map<number, Columns[]>();
  for (const row of rows) bySource.set(row.sourceId, [...(bySource.get(row.sourceId) ?? []), row]);
  return [...bySource.values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    const { sourceId, generation, model, dimensions } = first;
    const positions = own.flatMap((row) => JSON.parse(row.positions) as number[]);
    const data = new Int8Array(positions.length * dimensions);
    let at = 0;
    for (const row of own) {
      const bytes = fromBase64(row.data);
      data.set(bytes, at);
      at += bytes.length;
    }
    return [{ sourceId, generation, model, dimensions, positions, data }];
  });
}

function toBase64(data: Int8Array): string {
  const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  let text = "";
  for (let at = 0; at < bytes.length; at += 8_192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  }
  return btoa(text);
}

function fromBase64(text: string): Int8Array {
  return Int8Array.from(atob(text), (character) => character.charCodeAt(0));
}
