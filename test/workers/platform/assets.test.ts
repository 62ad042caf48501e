import { env } from "cloudflare:workers";
import { describe, expect, test } from "vitest";
import { createAssetReader } from "#platform/assets.ts";

describe("a file under assets/", () => {
  test("is read whole by its path, and one that is not there is null", async () => {
    const asset = createAssetReader(env.ASSETS);
    expect((await asset("embeddings/vectors-20000.bin"))?.byteLength).toBe(20_000 * 104);
    const words = new TextDecoder().decode(
      (await asset("embeddings/words-20000.txt")) ?? undefined,
    );
    expect(words.split("\n")[0]).toBe("the 0");
    expect(await asset("embeddings/absent.bin")).toBeNull();
  });

  test("that cannot be read is an error, not an absence", async () => {
    const broken = createAssetReader({ fetch: async () => new Response("no", { status: 500 }) });
    await expect(broken("embeddings/words-20000.txt")).rejects.toThrow("HTTP 500");
  });
});
