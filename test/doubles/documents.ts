import type { Documents } from "#contract/dream-run.ts";
import { jsonBytes } from "#kit/text/json-bytes.ts";

/** Documents in memory, as text like the real ones, no larger than these, and with their transactions. */
export class MemoryDocuments implements Documents {
  #rows = new Map<string, string>();

  get(name: string): unknown {
    const text = this.#rows.get(name);
    return text === undefined ? undefined : JSON.parse(text);
  }

  put(name: string, value: unknown): void {
    if (jsonBytes(value) > 1_900_000) throw new Error(`the document ${name} does not fit a row`);
    this.#rows.set(name, JSON.stringify(value));
  }

  remove(name: string): void {
    this.#rows.delete(name);
  }

  transaction<T>(work: () => T): T {
    const before = new Map(this.#rows);
    try {
      return work();
    } catch (error) {
      this.#rows = before;
      throw error;
    }
  }
}
