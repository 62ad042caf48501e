import { defineVectorStore } from "#contract/extension.ts";
import type { VectorShape, VectorStore, VectorStorePorts } from "#contract/vector-store.ts";
import { describeError } from "#kit/redact.ts";
import { cosinesAt } from "#kit/vector/exact.ts";
import { Shelf } from "./shelf.ts";

/**
 * Exact search in the memory of the object that holds it: filled from the packed rows at the first
 * search, kept current by what is published. Nothing else to set up, and the same answer everywhere.
 * What does not fit into memory is not searched by vector at all, and the log says so; single passages
 * can still be scored.
 */
const MAX_BYTES = 64 * 1024 * 1024;

export const embeddedVectors = defineVectorStore({
  kind: "vector-store",
  id: "embedded",
  create: (embedder, ports) => createEmbeddedStore(embedder, ports, MAX_BYTES),
});

type StorePorts = Pick<VectorStorePorts, "packed" | "log">;

export function createEmbeddedStore(
  shape: VectorShape,
  { packed, log }: StorePorts,
  maxBytes: number,
): VectorStore {
  const shelf = new Shelf(shape, maxBytes);
  /** All calls of one object may await it: their I/O is the object's. */
  let filling: Promise<void> | undefined;

  async function fill(): Promise<void> {
    shelf.open();
    for await (const source of packed.all(shape.model)) {
      if (shelf.load(source) === "full") tooLarge();
      if (shelf.state !== "filling") return;
    }
    shelf.close();
  }

  function tooLarge(): void {
    log.error("vectors.too_large", { maxBytes, advice: "bind Vectorize; see wrangler.toml" });
  }

  /** Is there something to search in? */
  async function ready(): Promise<boolean> {
    if (shelf.state === "empty" || filling) {
      filling ??= fill().finally(() => (filling = undefined));
      try {
        await filling;
      } catch (error) {
        shelf.clear();
        log.warn("vectors.unread", { error: describeError(error) });
      }
    }
    return shelf.state === "filled";
  }

  return {
    nearest: async (query, limit) => ((await ready()) ? shelf.nearest(query, limit) : []),
    async cosines(query, keys) {
      if (shelf.state === "filled") return shelf.cosines(query, keys);
      return cosinesAt({ shape, packed, log }, query, keys);
    },
    publish(source) {
      if (shelf.publish(source) === "full") tooLarge();
      return Promise.resolve();
    },
    remove(sourceId) {
      shelf.remove(sourceId);
      return Promise.resolve();
    },
  };
}
