import type { Part, Scope, TermQuery } from "#contract/memory-index.ts";
import type { MemoryKind } from "#contract/memory.ts";

/**
 * What goes into the full-text tables besides words, and how they are asked. Each row carries one token
 * for agent, kind and person together: a search names those it may see, and the postings of others are
 * not among its matches. Terms are quoted, so that nothing in them is syntax.
 */
export function wordsTable(part: Part): "memory_clean" | "memory_outside" {
  return part === "clean" ? "memory_clean" : "memory_outside";
}

/** Letters and digits only, and an end that no stemmer touches. */
export function scopeToken(agentId: string, kind: MemoryKind, identity: string | null): string {
  return `a${hex(agentId)}x${kind.charAt(0)}x${identity === null ? "" : hex(identity)}q`;
}

export function scopeTokens(agentId: string, { kinds, identity }: Scope): string[] {
  return kinds.flatMap((kind) => {
    if (kind !== "session") return [scopeToken(agentId, kind, null)];
    return identity === null ? [] : [scopeToken(agentId, kind, identity)];
  });
}

/** Columns a question is asked of, and what a word counts in each: BM25's weights. */
const ASKED = "{self before after}";
const WEIGHTS = "1.0, 0.5, 0.25, 0.0";

interface SearchLimits {
  /** Rows that are scored for one question whose words are common; others score far fewer. */
  readonly scored: number;
  /** Where the rarer terms find fewer rows than this, one for each term, a commoner one leads, too. */
  readonly enough: number;
}

const LIMITS: SearchLimits = { scored: 4_000, enough: 100 };

/** Terms as FTS5 takes them, for `?1` of bestRows. */
export function termList({ terms, beginnings }: Pick<TermQuery, "terms" | "beginnings">): string {
  return JSON.stringify(terms.map((term) => `${quoted(term)}${beginnings ? " *" : ""}`));
}

/** For `?2` of bestRows. */
export function scopeExpression(scopes: readonly string[]): string {
  // No scope: a token that no row has.
  return `scope : (${scopes.length === 0 ? quoted("none") : scopes.map(quoted).join(" OR ")})`;
}

/**
 * `id` and `score` of the best `?3` rows. What a search costs must not grow with the memory: the rarest
 * terms decide which rows are looked at, as many of them as the limit allows, and the others only add to
 * the score of those. For that they stand beside the scope, which every row has and which counts nothing.
 */
export function bestRows(table: string, { scored, enough } = LIMITS): string {
  return `WITH term AS (
      SELECT value AS words, (SELECT COUNT(*) FROM (
        SELECT 1 FROM ${table} WHERE ${table} MATCH '${ASKED} : ' || asked.value LIMIT ${scored + 1}
      )) AS found FROM json_each(?1) AS asked
    ), ordered AS (
      SELECT words, found, SUM(found) OVER (ORDER BY found, words ROWS UNBOUNDED PRECEDING) AS upto
      FROM term
    ), chosen AS (
      SELECT words, upto <= ${scored} OR upto - found < ${enough} AS leads FROM ordered
    )
    SELECT rowid AS id, bm25(${table}, ${WEIGHTS}) AS score FROM ${table}
    WHERE ${table} MATCH (
      SELECT ?2 || ' AND ${ASKED} : (' || GROUP_CONCAT(words, ' OR ') FILTER (WHERE leads) || ')' || COALESCE(
        ' AND ((' || ?2 || ') OR ${ASKED} : (' || GROUP_CONCAT(words, ' OR ') FILTER (WHERE NOT leads) || '))', ''
      ) FROM chosen
    ) ORDER BY score LIMIT ?3`;
}

function quoted(term: string): string {
  // Where text ends for SQLite, and halves of characters, which it cannot read.
  const plain = term.replaceAll("\0", " ").toWellFormed();
  return `"${plain.replaceAll('"', '""')}"`;
}

function hex(text: string): string {
  return [...new TextEncoder().encode(text)]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}
