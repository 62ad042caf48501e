import { defineVectorStore } from "#contract/extension.ts";
import { VectorizeStore } from "./store.ts";

/**
 * Vectors in Vectorize: for memories that do not fit into the agent's own. The index is made by hand,
 * since a deploy does not create it, and there is none on one's own machine.
 */
const MAX_DIMENSIONS = 1536;

export const vectorize = defineVectorStore({
  kind: "vector-store",
  id: "vectorize",
  unfit({ model, dimensions }, ports) {
    if (!ports.vectorize) return "wrangler.toml has no [[vectorize]] binding named VECTORIZE";
    if (dimensions <= MAX_DIMENSIONS) return undefined;
    return `${model} has ${dimensions} dimensions, more than the ${MAX_DIMENSIONS} of Vectorize`;
  },
  create(embedder, ports) {
    if (!ports.vectorize) throw new Error("made without its binding");
    return new VectorizeStore(embedder, ports, ports.vectorize);
  },
});
