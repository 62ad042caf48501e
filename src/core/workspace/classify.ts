import type {
  Authorship,
  ClassifiedFile,
  ClassifiedLine,
  LedgerEntry,
  LineOrigin,
  LineRecord,
} from "#contract/provenance.ts";
import type { StoredFile } from "#contract/workspace-store.ts";
import { carriesFact } from "#core/memory/fact-line.ts";
import { memoryPlace } from "#core/memory/memory-path.ts";
import { knownHash } from "./known-hash.ts";
import { isTemplateLine } from "./template-lines.ts";

/**
 * Gives each line of a memory file its class from what the ledger knows of the file. Pure. The rules
 * stand in contract/provenance.ts; what cannot be told is untrusted, whatever the text says of itself.
 */
export type Knowledge =
  /** This very version is described. */
  | { readonly kind: "described"; readonly entry: LedgerEntry }
  /** We wrote this version, and its description is lost. */
  | { readonly kind: "lost" }
  /** We wrote it before there was a ledger: all that is known is the mark of the whole file. */
  | { readonly kind: "older" }
  /** Somebody with access to the storage wrote it; `latest` is what we knew of the file before. */
  | { readonly kind: "outside"; readonly latest: LedgerEntry | null }
  /** The same, but what we knew can no longer be read. */
  | { readonly kind: "outside, lost" };

export function classifyFile(file: StoredFile, knowledge: Knowledge): ClassifiedFile {
  const { path, text, etag, modifiedAt } = file;
  const originOf = rule(file, knowledge);
  const lines = withNeighbours(
    text.split("\n").map((line): LineDraft => {
      if (!carriesFact(line)) return { text: line, known: null };
      const own: LineOrigin = { trust: "system", at: modifiedAt };
      return { text: line, known: isTemplateLine(path, line) ? own : originOf(line) };
    }),
    modifiedAt,
  );
  return { path, text, etag, modifiedAt, authorship: authorshipOf(knowledge), lines };
}

function authorshipOf({ kind }: Knowledge): Authorship {
  return kind === "outside" || kind === "outside, lost" ? "outside" : "ours";
}

type Known = LineOrigin & { readonly waiting?: true | undefined };

function rule(file: StoredFile, knowledge: Knowledge): (line: string) => Known {
  const at = file.modifiedAt;
  const untrusted: Known = { trust: "untrusted", at };
  const waiting: Known = { trust: "untrusted", at, waiting: true };
  switch (knowledge.kind) {
    case "described":
      return byRecord(knowledge.entry.lines, untrusted);
    case "lost":
      return () => untrusted;
    case "older":
      return () => (file.untrusted ? untrusted : { trust: "agent", at });
    case "outside": {
      const curated = memoryPlace(file.path) === "curated";
      return byRecord(knowledge.latest?.lines ?? [], curated ? { trust: "owner", at } : waiting);
    }
    case "outside, lost":
      return () => waiting;
  }
}

function byRecord(records: readonly LineRecord[], otherwise: Known): (line: string) => Known {
  const known = new Map(records.map(({ hash, ...origin }) => [hash, origin]));
  return (line) => known.get(knownHash(line)) ?? otherwise;
}

interface LineDraft {
  readonly text: string;
  readonly known: Known | null;
}

/** A line that says nothing belongs to the one above it, the first ones to the one below. */
function withNeighbours(drafts: readonly LineDraft[], at: number): ClassifiedLine[] {
  let last: Known = drafts.find((draft) => draft.known)?.known ?? { trust: "agent", at };
  return drafts.map(({ text, known }) => {
    last = known ?? last;
    const { waiting, ...origin } = last;
    return { text, origin, ...(waiting ? { waiting } : {}) };
  });
}

/** One record for each fact of a classified file: what a change of it starts from. */
export function recordsOf(file: ClassifiedFile | null): Map<string, LineRecord> {
  const records = new Map<string, LineRecord>();
  for (const { text, origin, waiting } of file?.lines ?? []) {
    if (!carriesFact(text)) continue;
    const hash = knownHash(text);
    records.set(hash, { hash, ...origin, ...(waiting ? { waiting } : {}) });
  }
  return records;
}
