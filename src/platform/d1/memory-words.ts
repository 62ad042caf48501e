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

export function matchExpression(
  { terms, beginnings }: Pick<TermQuery, "terms" | "beginnings">,
  scopes: readonly string[],
): string {
  // No scope: a token that no row has.
  const scope = scopes.length === 0 ? quoted("none") : scopes.map(quoted).join(" OR ");
  const words = terms.map((term) => `${quoted(term)}${beginnings ? " *" : ""}`);
  return `scope : (${scope}) AND {self before after} : (${words.join(" OR ")})`;
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
