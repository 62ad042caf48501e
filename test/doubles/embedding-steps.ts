/**
 * What a double of an embedding service answers next, and the vectors it gives when nothing else is
 * said: each word adds its own pseudo-random direction, so texts with words in common are near.
 */
export type EmbeddingStep =
  /** An error of the service. */
  | { readonly status: number; readonly message?: string; readonly retryAfter?: number }
  /** This body, whatever was asked. */
  | { readonly body: string }
  /** The right vectors, changed. */
  | { readonly change: (rows: number[][]) => (number | null)[][] }
  /** Never. */
  | { readonly hang: true };

export class EmbeddingScript {
  #steps: EmbeddingStep[] = [];
  /** Texts of each request that was not refused. */
  readonly asked: string[][] = [];

  play(...steps: EmbeddingStep[]): void {
    this.#steps = steps;
  }

  next(texts: string[]): EmbeddingStep {
    this.asked.push(texts);
    return this.#steps.shift() ?? { change: (rows) => rows };
  }
}

export function wordVector(text: string, dimensions: number): number[] {
  const sum = Array.from({ length: dimensions }, () => 0);
  for (const word of text.toLowerCase().split(/\s+/)) {
    let state = Buffer.from(word).reduce((hash, byte) => (hash * 33 + byte) >>> 0, 5381);
    for (let index = 0; index < dimensions; index += 1) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      sum[index]! += state / 2 ** 31 - 1;
    }
  }
  return sum;
}
