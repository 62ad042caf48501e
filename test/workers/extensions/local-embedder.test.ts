import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { createLocalEmbedder } from "#ext/local-embedder/index.ts";
import { createAssetReader } from "#platform/assets.ts";

/** The word vectors as they are deployed, read over the binding. */
test("word vectors are read from the deployed files", async () => {
  const embedder = createLocalEmbedder({ asset: createAssetReader(env.ASSETS) }, {});
  const texts = ["our puppy is ill", "the dog needs a vet", "the bank raised the rate", "日本"];
  const result = await embedder.embed(texts, "passage", new AbortController().signal);
  const [puppy, dog, bank, none] = result.ok ? result.value : [];
  const cosine = (other: Float32Array | null | undefined) =>
    puppy!.reduce((sum, value, index) => sum + value * other![index]!, 0);
  expect(cosine(dog)).toBeGreaterThan(cosine(bank) + 0.1);
  expect(none).toBeNull();
});
