import type { EvidenceStore } from "#contract/evidence-store.ts";

/** Texts in memory. */
export class MemoryEvidenceStore implements EvidenceStore {
  readonly texts = new Map<string, string>();
  puts = 0;

  async names(): Promise<string[]> {
    return [...this.texts.keys()].toSorted();
  }

  async get(name: string): Promise<string | null> {
    return this.texts.get(name) ?? null;
  }

  async put(name: string, text: string): Promise<void> {
    this.puts += 1;
    this.texts.set(name, text);
  }

  async remove(name: string): Promise<void> {
    this.texts.delete(name);
  }
}
