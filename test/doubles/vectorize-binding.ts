import type { VectorizeBinding, VectorizeEntry, VectorizeState } from "#contract/ports.ts";

/**
 * A Vectorize index behind its binding, with the real one's limits. A change is accepted at once and
 * seen when the test says so (`settle`), in the order in which it came; until then nothing of it is.
 */
interface Change {
  readonly id: string;
  readonly at: number;
  apply(): void;
}

export class VectorizeDouble implements VectorizeBinding {
  readonly dimensions: number;
  /** Calls that fail from now on. */
  failing: readonly (keyof VectorizeBinding)[] = [];
  readonly calls: (keyof VectorizeBinding)[] = [];
  /** Awaited before an upsert is accepted. */
  gate: () => Promise<void> = () => Promise.resolve();
  now = 1_700_000_000_000;
  #entries = new Map<string, VectorizeEntry>();
  #waiting: Change[] = [];
  #last: Change | undefined;
  #count = 0;

  constructor(dimensions: number) {
    this.dimensions = dimensions;
  }

  /** Ids that can be found. */
  get seen(): string[] {
    return [...this.#entries.keys()].toSorted();
  }

  /** Those of them in these namespaces. */
  seenIn(namespaces: readonly string[]): string[] {
    return this.seen.filter((id) => namespaces.includes(this.#entries.get(id)?.namespace ?? ""));
  }

  /** Makes the oldest changes seen; all, if no number is given. */
  settle(count = Infinity): void {
    for (const change of this.#waiting.splice(0, count)) {
      change.apply();
      this.#last = change;
    }
  }

  /** As if it had been deleted and created again. */
  recreate(): void {
    this.#entries.clear();
    this.#waiting = [];
    this.#last = undefined;
  }

  async describe(): Promise<VectorizeState> {
    this.#called("describe");
    return {
      dimensions: this.dimensions,
      vectorCount: this.#entries.size,
      processedUpToMutation: this.#last?.id ?? null,
      processedUpToDatetime: this.#last ? new Date(this.#last.at).toISOString() : null,
    };
  }

  async query(vector: readonly number[], options: { topK: number; namespace: string }) {
    this.#called("query");
    this.#checkValues(vector);
    if (options.topK < 1 || options.topK > 100) fail(40025, "topK must be 1 to 100");
    const own = [...this.#entries.values()].filter(
      ({ namespace }) => namespace === options.namespace,
    );
    const matches = own
      .map(({ id, values }) => ({ id, score: cosine(vector, values) }))
      .toSorted((one, other) => other.score - one.score)
      .slice(0, options.topK);
    return { count: matches.length, matches };
  }

  async upsert(vectors: readonly VectorizeEntry[]) {
    this.#called("upsert");
    if (vectors.length === 0 || vectors.length > 1000) fail(40012, "1 to 1000 vectors");
    for (const { id, namespace, values } of vectors) {
      checkName(id);
      checkName(namespace);
      this.#checkValues(values);
    }
    await this.gate();
    return this.#accept(() => {
      for (const entry of vectors) this.#entries.set(entry.id, entry);
    });
  }

  async deleteByIds(ids: readonly string[]) {
    this.#called("deleteByIds");
    if (ids.length === 0 || ids.length > 100) fail(40007, "max id count is 100");
    for (const id of ids) checkName(id);
    return this.#accept(() => {
      for (const id of ids) this.#entries.delete(id);
    });
  }

  #called(method: keyof VectorizeBinding): void {
    this.calls.push(method);
    if (this.failing.includes(method)) throw new Error("VECTOR_ERROR (code = 10000): internal");
  }

  #accept(apply: () => void): { mutationId: string } {
    this.now += 1;
    const id = `00000000-0000-4000-8000-${String((this.#count += 1)).padStart(12, "0")}`;
    this.#waiting.push({ id, at: this.now, apply });
    return { mutationId: id };
  }

  #checkValues(values: readonly number[]): void {
    if (values.length !== this.dimensions) fail(40006, `expected ${this.dimensions} dimensions`);
    if (values.some((value) => !Number.isFinite(value))) fail(40005, "values must be numbers");
  }
}

function checkName(name: string): void {
  if (name === "" || Buffer.byteLength(name) > 64) fail(40008, "an id has 1 to 64 bytes");
}

function fail(code: number, message: string): never {
  throw new Error(`VECTOR_ERROR (code = ${code}): ${message}`);
}

export function cosine(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let [dot, left, right] = [0, 0, 0];
  for (let index = 0; index < one.length; index += 1) {
    dot += one[index]! * other[index]!;
    left += one[index]! ** 2;
    right += other[index]! ** 2;
  }
  return left === 0 || right === 0 ? 0 : dot / Math.sqrt(left * right);
}
