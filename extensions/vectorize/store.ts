import type { VectorizeBinding } from "#contract/ports.ts";
import type {
  ScoredVector,
  SourceVectors,
  VectorKey,
  VectorShape,
  VectorStore,
  VectorStorePorts,
} from "#contract/vector-store.ts";
import { describeError } from "#kit/redact.ts";
import { BestScores } from "#kit/vector/best-scores.ts";
import { cosinesAt, nearestExactly, type ExactSearch } from "#kit/vector/exact.ts";
import { isWellFormed } from "#kit/vector/packed.ts";
import { Ledger } from "./ledger.ts";
import { bringUp, type SenderSetup } from "./sender.ts";
import { readVectorId, shortNamespace } from "./vector-id.ts";

/** The most the index gives without values. */
const TOP = 100;

/**
 * A follower: what the index has not confirmed is scored exactly from the packed rows, and what it still
 * shows of older generations is dropped. If it fails, everything is scored exactly, which is slower and
 * as right. See ledger.ts for what is confirmed, sender.ts for what is sent.
 */
export class VectorizeStore implements VectorStore {
  readonly #shape: VectorShape;
  readonly #ports: VectorStorePorts;
  readonly #index: VectorizeBinding;
  readonly #namespace: string;
  readonly #ledger: Ledger;
  readonly #exact: ExactSearch;
  readonly #sender: SenderSetup;
  #isChecked = false;
  /** One change after the other: what is deleted must not overtake what was sent. */
  #changes = Promise.resolve();

  constructor(shape: VectorShape, ports: VectorStorePorts, index: VectorizeBinding) {
    const namespace = shortNamespace(ports.namespace);
    const ledger = new Ledger(ports.notes);
    this.#shape = shape;
    this.#ports = ports;
    this.#index = index;
    this.#namespace = namespace;
    this.#ledger = ledger;
    this.#exact = { shape, packed: ports.packed, log: ports.log };
    this.#sender = { index, shape, ledger, ports, namespace };
  }

  async nearest(query: Float32Array, limit: number): Promise<ScoredVector[]> {
    if (query.length !== this.#shape.dimensions) return [];
    try {
      return await this.#nearest(query, limit);
    } catch (error) {
      this.#ports.log.warn("vectorize.failed", { error: describeError(error) });
      return nearestExactly(this.#exact, query, limit);
    }
  }

  cosines(query: Float32Array, keys: readonly VectorKey[]): Promise<ScoredVector[]> {
    return cosinesAt(this.#exact, query, keys);
  }

  async publish(source: SourceVectors): Promise<void> {
    if (!isWellFormed(source, this.#shape)) return this.remove(source.sourceId);
    await this.#inTurn(this.#ledger.announce(source) ? [source] : []);
  }

  async remove(sourceId: number): Promise<void> {
    this.#ledger.withdraw(sourceId);
    await this.#inTurn([]);
  }

  #inTurn(published: readonly SourceVectors[]): Promise<void> {
    this.#changes = this.#changes.then(() => bringUp(this.#sender, published));
    return this.#changes;
  }

  async #nearest(query: Float32Array, limit: number): Promise<ScoredVector[]> {
    const found = (await this.#isUsable()) ? await this.#ask(query, limit) : "incomplete";
    if (found === "incomplete") return nearestExactly(this.#exact, query, limit);
    const best = new BestScores(limit);
    for (const scored of found) best.add(scored);
    const waiting = this.#ledger.waiting().map(({ sourceId }) => sourceId);
    const exactly = await nearestExactly(this.#exact, query, limit, waiting);
    for (const scored of exactly) best.add(scored);
    return best.list();
  }

  /** False = the index cannot be asked. Finds out what it shows by now. */
  async #isUsable(): Promise<boolean> {
    const { model, dimensions } = this.#shape;
    if (!this.#ledger.complete) this.#ledger.fill(await this.#ports.packed.heads(model));
    if (this.#isChecked && !this.#ledger.hasPending) return true;
    const state = await this.#index.describe();
    if (state.dimensions !== dimensions) {
      const there = state.dimensions;
      this.#ports.log.error("vectorize.dimensions", { model, wanted: dimensions, there });
      return false;
    }
    this.#isChecked = true;
    this.#ledger.observe(state);
    return true;
  }

  async #ask(query: Float32Array, limit: number): Promise<ScoredVector[] | "incomplete"> {
    const options = { topK: TOP, namespace: this.#namespace };
    const { matches } = await this.#index.query([...query], options);
    const found = matches.flatMap(({ id, score }) => {
      const key = readVectorId(id);
      if (!key || !this.#ledger.isSeen(key)) return [];
      return [{ sourceId: key.sourceId, position: key.position, score }];
    });
    // What is out of date may have taken the place of what was asked for.
    const isCut = matches.length === TOP && found.length < Math.min(limit, TOP);
    return isCut ? "incomplete" : found;
  }
}
