import type { LineRecord } from "#contract/provenance.ts";
import { isLower } from "#contract/transcript.ts";
import type { WorkspaceOperation } from "#contract/workspace.ts";
import { carriesFact } from "#core/memory/fact-line.ts";
import { knownHash } from "./known-hash.ts";
import { bringsUntrusted } from "./records.ts";

/** An appending whose lines count as untrusted, but for those it quotes. */
export function isForeignAppend(operation: WorkspaceOperation): boolean {
  return operation.change.type === "append" && bringsUntrusted(operation);
}

/**
 * The operation without lines that stand there already with a better class; null = that is all of it.
 * Identical text takes the lower class, so whoever appends under others' influence could take lines of
 * the owner's and the agent's down by writing them once more. Pure.
 */
export function withoutStandingLines(
  operation: WorkspaceOperation,
  records: ReadonlyMap<string, LineRecord>,
): WorkspaceOperation | null {
  const { change, quoted = [] } = operation;
  if (change.type !== "append" || !isForeignAppend(operation)) return operation;
  const own = new Set(quoted.map(({ text }) => knownHash(text)));
  const isCopy = (line: string) => {
    const hash = knownHash(line);
    const standing = records.get(hash);
    return standing !== undefined && isLower("untrusted", standing.trust) && !own.has(hash);
  };
  const lines = change.text.split("\n");
  const kept = lines.filter((line) => !carriesFact(line) || !isCopy(line));
  if (kept.length === lines.length) return operation;
  if (!kept.some(carriesFact)) return null;
  return { ...operation, change: { type: "append", text: kept.join("\n") } };
}
