/**
 * All that is derived of an agent's memory, but for numbers that name rows: two indexes that give the same
 * are the same. Each takes the agent's id as its one parameter.
 */
export const indexRows: readonly string[] = [
  `SELECT path, kind, identity, date, hash, model, passages FROM memory_source
   WHERE agent_id = ?1 ORDER BY path`,
  `SELECT s.path, p.outside, p.position, p.line, p.text, p.trust, p.importance, p.projects,
     p.superseded, p.hash FROM memory_passage p JOIN memory_source s ON s.id = p.source_id
   WHERE s.agent_id = ?1 ORDER BY s.path, p.outside, p.position`,
  `SELECT s.path, v.outside, v.chunk, v.model, v.dimensions, v.positions, v.data
   FROM memory_vector v JOIN memory_source s ON s.id = v.source_id
   WHERE s.agent_id = ?1 ORDER BY s.path, v.outside, v.chunk`,
  ...["memory_clean", "memory_outside"].map(
    (words) => `SELECT s.path, p.position, w.* FROM ${words} w
      JOIN memory_passage p ON p.id = w.rowid JOIN memory_source s ON s.id = p.source_id
      WHERE s.agent_id = ?1 ORDER BY s.path, p.position`,
  ),
];

/** What was recalled; last of all, as it is no part of the index. */
export const recallRows =
  "SELECT * FROM memory_recall WHERE agent_id = ?1 ORDER BY day, line_hash, query_hash";
