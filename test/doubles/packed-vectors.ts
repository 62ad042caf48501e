import type {
  PackedVectors,
  ScoredVector,
  SourceHead,
  SourceVectors,
  VectorNotes,
} from "#contract/vector-store.ts";
import { cosine } from "./vectorize-binding.ts";

/**
 * The packed rows of one agent, as D1 holds them: a commit replaces a source as a whole. What is read is
 * of the moment it was asked for, however late it arrives.
 */
export class PackedDouble implements PackedVectors {
  readonly sources = new Map<number, SourceVectors>();
  /** Awaited before each answer. */
  gate: () => Promise<void> = () => Promise.resolve();
  /** Sources that were read, with their vectors. */
  reads = 0;

  async heads(model: string): Promise<SourceHead[]> {
    const heads = this.#of(model).map(({ sourceId, generation }) => ({ sourceId, generation }));
    await this.gate();
    return heads;
  }

  async *all(model: string): AsyncGenerator<SourceVectors> {
    for (const source of this.#of(model)) {
      await this.gate();
      this.reads += 1;
      yield source;
    }
  }

  async of(model: string, sourceIds: readonly number[]): Promise<SourceVectors[]> {
    const found = this.#of(model).filter(({ sourceId }) => sourceIds.includes(sourceId));
    await this.gate();
    this.reads += found.length;
    return found;
  }

  #of(model: string): SourceVectors[] {
    return [...this.sources.values()].filter((source) => source.model === model);
  }

  /** What a search must find, by a plain look at everything. */
  nearest(query: Float32Array, limit: number): ScoredVector[] {
    const all = [...this.sources.values()].flatMap((source) =>
      source.positions.map((position, row) => ({
        sourceId: source.sourceId,
        position,
        score: cosine(
          query,
          source.data.subarray(row * source.dimensions, (row + 1) * source.dimensions),
        ),
      })),
    );
    return all.toSorted((one, other) => other.score - one.score).slice(0, limit);
  }
}

export class NotesDouble implements VectorNotes {
  readonly texts = new Map<number, string>();

  all(): ReadonlyMap<number, string> {
    return new Map(this.texts);
  }

  set(sourceId: number, note: string): void {
    this.texts.set(sourceId, note);
  }

  remove(sourceId: number): void {
    this.texts.delete(sourceId);
  }
}
