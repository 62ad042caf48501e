import type { LineOrigin, LineRecord } from "#contract/provenance.ts";
import { lowestTrust, type Trust } from "#contract/transcript.ts";
import type { WorkspaceOperation } from "#contract/workspace.ts";
import { carriesFact } from "#core/memory/fact-line.ts";
import { atBest, lowerOf } from "#core/memory/trust-order.ts";
import { knownHash } from "./known-hash.ts";

/**
 * What is known of a text after our changes to it, line by line. A line that was there keeps its
 * record. A line that a change brings in is its author's, unless it is quoted; a text that is there
 * already and comes in once more takes the lower class, and so does a line that a replacement made out
 * of others. Pure.
 */
export interface Step {
  readonly operation: WorkspaceOperation;
  readonly before: string;
  readonly after: string;
}

/** `known` has a record for every fact of the first step's text; `restored` for what is brought back. */
export function nextRecords(
  known: ReadonlyMap<string, LineRecord>,
  steps: readonly Step[],
  facts: { readonly at: number; readonly restored: ReadonlyMap<string, LineRecord> },
): LineRecord[] {
  let records = new Map(known);
  for (const step of steps) {
    const before = count(step.before);
    const after = count(step.after);
    const bringer = bringerOf(step, { before, after, records, at: facts.at });
    const quoted = quotedOrigins(step.operation);
    const next = new Map<string, LineRecord>();
    for (const [hash, times] of after) {
      const old = before.has(hash) ? records.get(hash) : undefined;
      const added = times - (before.get(hash) ?? 0);
      next.set(hash, old && added <= 0 ? old : { hash, ...origin(hash, added, old) });
    }
    records = next;

    function origin(hash: string, added: number, old: LineRecord | undefined): LineOrigin {
      const brought = broughtIn(quoted.get(hash) ?? [], added, restoredOr(hash));
      return old ? lowerOf<LineOrigin>(withoutHash(old), brought) : brought;
    }
    function restoredOr(hash: string): LineOrigin {
      if (!step.operation.restores) return bringer;
      const record = facts.restored.get(hash);
      return record ? withoutHash(record) : { trust: "untrusted", at: facts.at };
    }
  }
  return [...records.values()];
}

/** Quoted lines stand for themselves; whatever comes in beyond them is the author's. */
function broughtIn(quoted: readonly LineOrigin[], added: number, author: LineOrigin): LineOrigin {
  const all = quoted.length < added ? [...quoted, author] : quoted;
  return all.reduce((lowest, each) => lowerOf(lowest, each), all[0] ?? author);
}

function withoutHash({ hash: _hash, ...origin }: LineRecord): LineOrigin {
  return origin;
}

/** As whose words the lines of a change count that are not quoted. */
function bringerOf(
  { operation }: Step,
  facts: {
    readonly before: ReadonlyMap<string, number>;
    readonly after: ReadonlyMap<string, number>;
    readonly records: ReadonlyMap<string, LineRecord>;
    readonly at: number;
  },
): LineOrigin {
  const author = operation.author ?? { trust: "untrusted", at: facts.at };
  const limited = atBest(author, authorLimit(operation));
  if (operation.change.type !== "replace" || operation.authority?.kind === "owner") return limited;
  // The new line may be made of the old one, which the author need not even have seen.
  const replaced = [...facts.before]
    .filter(([hash, times]) => (facts.after.get(hash) ?? 0) < times)
    .map(([hash]) => facts.records.get(hash)?.trust ?? "untrusted");
  return atBest(limited, lowestTrust(replaced));
}

/** Is what it brings in untrusted, but for what it quotes? */
export function bringsUntrusted(operation: WorkspaceOperation): boolean {
  const { trust } = operation.author ?? { trust: "untrusted" as const };
  return lowestTrust([trust, authorLimit(operation)]) === "untrusted";
}

/** The highest class an operation can give by itself: only code of ours knows an owner's own words. */
function authorLimit({ authority, untrusted }: WorkspaceOperation): Trust {
  if (untrusted || !authority) return "untrusted";
  if (authority.kind !== "turn") return "owner";
  return authority.tainted ? "untrusted" : "agent";
}

function quotedOrigins({ quoted = [] }: WorkspaceOperation): Map<string, LineOrigin[]> {
  const origins = new Map<string, LineOrigin[]>();
  for (const { text, origin } of quoted) {
    const hash = knownHash(text);
    origins.set(hash, [...(origins.get(hash) ?? []), origin]);
  }
  return origins;
}

function count(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split("\n")) {
    if (!carriesFact(line)) continue;
    const hash = knownHash(line);
    counts.set(hash, (counts.get(hash) ?? 0) + 1);
  }
  return counts;
}
