import type { LedgerStore } from "#contract/ledger-store.ts";
import type { Log } from "#contract/ports.ts";
import { ledgerEntrySchema, type LedgerEntry, type LineRecord } from "#contract/provenance.ts";
import type { StoredFile } from "#contract/workspace-store.ts";
import { sha256Hex } from "#kit/sha256.ts";
import { lowerOf } from "#core/memory/trust-order.ts";
import type { Knowledge } from "./classify.ts";

/**
 * What the workspace's writer remembers of where each line came from: one entry for each version it
 * puts, written before the version itself. An entry is found by the hash of the text it describes, so
 * it never matters which of several tries arrived. Entries are kept as long as versions are, for what
 * is brought back. The newest is held in memory, which is safe as nobody else writes here.
 */
export interface Ledger {
  /** What is known of the file as it lies in storage. Rejects only if storage does. */
  about(file: StoredFile): Promise<Knowledge>;
  /** What the lines of this text were when we wrote it; of a text unknown, the lowest ever known. */
  linesOf(path: string, text: string): Promise<Map<string, LineRecord>>;
  write(version: DescribedVersion): Promise<LedgerEntry>;
  prune(path: string): Promise<void>;
  /** Rewrites all entries of a path: without these lines, and by these new hashes of whole texts. How many there are. */
  forget(path: string, change: LedgerChange): Promise<number>;
}

export interface DescribedVersion {
  readonly path: string;
  readonly text: string;
  readonly lines: readonly LineRecord[];
  /** Only names the entry. */
  readonly operationId: string;
}

export interface LedgerChange {
  readonly hashes: ReadonlySet<string>;
  readonly texts: ReadonlyMap<string, string>;
}

/** A few more than there are versions: tries that failed leave entries, too. */
const KEPT = 24;

export function createLedger(store: LedgerStore, report: Log): Ledger {
  const newest = new Newest();
  const read = (path: string, key: string) => readEntry({ store, report }, path, key);

  /** Newest first; null = cannot be read. */
  async function* entries(path: string): AsyncGenerator<LedgerEntry | null> {
    for (const key of (await store.keys(path)).toReversed()) yield await read(path, key);
  }

  return {
    async about(file) {
      const textHash = sha256Hex(file.text);
      const held = newest.of(file.path);
      if (held?.textHash === textHash) return { kind: "described", entry: held };
      let latest: LedgerEntry | null | undefined;
      for await (const entry of entries(file.path)) {
        if (latest === undefined) latest = entry;
        if (entry?.textHash !== textHash) continue;
        if (entry === latest) newest.hold(entry);
        return { kind: "described", entry };
      }
      return undescribed(file, textHash, latest);
    },

    async linesOf(path, text) {
      const textHash = sha256Hex(text);
      const lowest = new Map<string, LineRecord>();
      for await (const entry of entries(path)) {
        if (entry?.textHash === textHash) return byHash(entry.lines);
        keepLowest(lowest, entry?.lines ?? []);
      }
      return lowest;
    },

    async write({ path, text, lines, operationId }) {
      const last = newest.of(path)?.sequence ?? lastSequence(await store.keys(path));
      const sequence = last + 1;
      const textHash = sha256Hex(text);
      const entry: LedgerEntry = { version: 1, path, textHash, sequence, lines: [...lines] };
      await store.put(path, keyOf(sequence, operationId), JSON.stringify(entry));
      newest.hold(entry);
      return entry;
    },

    async prune(path) {
      const keys = await store.keys(path);
      if (keys.length > KEPT) await store.remove(path, keys.slice(0, -KEPT));
    },

    async forget(path, change) {
      newest.drop(path);
      const keys = await store.keys(path);
      for (const key of keys) {
        const entry = await read(path, key);
        const next = entry && withoutLines(entry, change);
        if (next && next !== entry) await store.put(path, key, JSON.stringify(next));
      }
      return keys.length;
    },
  };
}

/** The newest entries of the paths that were used last. */
class Newest {
  readonly #entries = new Map<string, LedgerEntry>();

  of(path: string): LedgerEntry | undefined {
    return this.#entries.get(path);
  }

  hold(entry: LedgerEntry): void {
    this.#entries.delete(entry.path);
    this.#entries.set(entry.path, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > 64 && oldest !== undefined) this.#entries.delete(oldest);
  }

  drop(path: string): void {
    this.#entries.delete(path);
  }
}

async function readEntry(
  { store, report }: { readonly store: LedgerStore; readonly report: Log },
  path: string,
  key: string,
): Promise<LedgerEntry | null> {
  const text = await store.read(path, key);
  const entry = text === null ? null : parseEntry(text);
  if (entry?.path === path) return entry;
  report.error("ledger.unreadable", { path, key });
  return null;
}

function keepLowest(lowest: Map<string, LineRecord>, lines: readonly LineRecord[]): void {
  for (const line of lines) {
    const known = lowest.get(line.hash);
    lowest.set(line.hash, known ? lowerOf(known, line) : line);
  }
}

function withoutLines(entry: LedgerEntry, { hashes, texts }: LedgerChange): LedgerEntry {
  const lines = entry.lines.filter((line) => !hashes.has(line.hash));
  const textHash = texts.get(entry.textHash) ?? entry.textHash;
  const same = lines.length === entry.lines.length && textHash === entry.textHash;
  return same ? entry : { ...entry, lines, textHash };
}

function undescribed(
  file: StoredFile,
  textHash: string,
  latest: LedgerEntry | null | undefined,
): Knowledge {
  if (file.textHash === textHash) return { kind: "lost" };
  if (latest === undefined) {
    return file.operations.length > 0 && file.textHash === undefined
      ? { kind: "older" }
      : { kind: "outside", latest: null };
  }
  return latest === null ? { kind: "outside, lost" } : { kind: "outside", latest };
}

function parseEntry(text: string): LedgerEntry | null {
  try {
    return ledgerEntrySchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function byHash(lines: readonly LineRecord[]): Map<string, LineRecord> {
  return new Map(lines.map((line) => [line.hash, line]));
}

/** In the order of the keys lies the order of the entries. */
function keyOf(sequence: number, operationId: string): string {
  return `${String(sequence).padStart(12, "0")}-${encodeURIComponent(operationId)}.json`;
}

function lastSequence(keys: readonly string[]): number {
  return Number.parseInt(keys.at(-1) ?? "", 10) || 0;
}
