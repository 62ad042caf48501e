import type { LedgerStore } from "#contract/ledger-store.ts";
import { pathPage } from "./workspace-store.ts";

/** The ledger's storage in memory. `gate` as in the workspace's double: it may throw, or never resolve. */
export type LedgerPhase = "ledger keys" | "ledger read" | "ledger put" | "ledger put done";

export class MemoryLedgerStore implements LedgerStore {
  readonly entries = new Map<string, Map<string, string>>();
  calls = 0;
  gate: (phase: LedgerPhase, path: string) => void | Promise<void> = () => {};

  async keys(path: string): Promise<string[]> {
    this.calls += 1;
    await this.gate("ledger keys", path);
    return [...(this.entries.get(path)?.keys() ?? [])].toSorted();
  }

  async read(path: string, key: string): Promise<string | null> {
    this.calls += 1;
    await this.gate("ledger read", path);
    return this.entries.get(path)?.get(key) ?? null;
  }

  async put(path: string, key: string, text: string): Promise<void> {
    this.calls += 1;
    await this.gate("ledger put", path);
    const known = this.entries.get(path) ?? new Map<string, string>();
    this.entries.set(path, known.set(key, text));
    await this.gate("ledger put done", path);
  }

  async remove(path: string, keys: readonly string[]): Promise<void> {
    for (const key of keys) this.entries.get(path)?.delete(key);
  }

  async paths(after: string | null) {
    const known = [...this.entries].filter(([, keys]) => keys.size > 0);
    return pathPage(
      known.map(([path]) => path),
      after,
    );
  }

  /** Whatever stands in the entries of a path, for tests that damage them. */
  damage(path: string, text: string): void {
    const known = this.entries.get(path);
    for (const key of known?.keys() ?? []) known?.set(key, text);
  }
}
