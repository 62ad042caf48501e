import type { PathPage } from "./workspace-store.ts";

/**
 * Where the ledger of a workspace lies: a few small texts for each path of the memory, in the order of
 * their keys. What stands in them is core/workspace/ledger.ts; who may read them, nobody but it.
 */
export interface LedgerStore {
  /** Keys of the entries of a path, oldest first. */
  keys(path: string): Promise<string[]>;
  /** Null when there is none. */
  read(path: string, key: string): Promise<string | null>;
  put(path: string, key: string, text: string): Promise<void>;
  remove(path: string, keys: readonly string[]): Promise<void>;
  /** Some of the paths that entries exist of, also of files that are gone. */
  paths(after: string | null): Promise<PathPage>;
}
