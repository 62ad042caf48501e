import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { embedderFailures } from "./embedder-suite-failures.ts";
import {
  cosine,
  embed,
  patientPorts,
  type EmbedderRig,
  type EmbedderSuite,
} from "./embedder-rig.ts";

/** The laws of every embedder, whatever it is made of. */
const texts = [
  "The ferry to the island leaves at seven",
  "A recipe for apple pie with cinnamon",
  "  ",
  "The mortgage rate of the bank",
  "",
  "The ferry to the island leaves at seven",
];

export function embedderSuite(suite: EmbedderSuite): void {
  describe(`${suite.name}: an embedder`, () => {
    let rig: EmbedderRig;
    beforeEach(async () => {
      rig = await suite.start(patientPorts());
    });
    afterEach(() => rig.stop());

    test("gives vectors of length 1, with as many numbers as it says", async () => {
      const { embedder } = rig;
      expect(embedder.model).toMatch(/^[a-z-]+\/\S+$/);
      expect(embedder.batchSize).toBeGreaterThan(0);
      for (const vector of await embed(embedder, texts)) {
        if (vector === null) continue;
        expect(vector).toHaveLength(embedder.dimensions);
        expect(cosine(vector, vector)).toBeCloseTo(1, 5);
      }
    });

    test("answers in the order of the texts, a batch as each text alone, null where nothing is said", async () => {
      const together = await embed(rig.embedder, texts);
      expect(together.map((vector) => vector === null)).toEqual(texts.map((text) => !text.trim()));
      const alone = [];
      for (const text of texts) alone.push(...(await embed(rig.embedder, [text])));
      expect(together).toEqual(alone);
      expect(together[0]).toEqual(together[5]);
      expect(together[0]).not.toEqual(together[1]);
    });

    test("takes as many texts as it says, and none", async () => {
      const many = Array.from({ length: rig.embedder.batchSize }, (_none, index) =>
        index % 2 === 0 ? "apple" : "river",
      );
      const vectors = await embed(rig.embedder, many);
      expect(cosine(vectors[0]!, vectors.at(-2)!)).toBeCloseTo(1, 5);
      expect(await embed(rig.embedder, [])).toEqual([]);
      expect(await embed(rig.embedder, ["", " \n"])).toEqual([null, null]);
    });

    test("places texts that are alike nearer than others", async () => {
      const [pie, tart, bank] = await embed(rig.embedder, [
        "apple pie with cinnamon",
        "cinnamon apple cake",
        "mortgage contract at the bank",
      ]);
      expect(cosine(pie, tart)).toBeGreaterThan(cosine(pie, bank) + 0.1);
    });

    test("survives any text", async () => {
      const odd = ["\u0000", "\uD800", "日本語の文章", "🦀".repeat(10_000), "x".repeat(200_000)];
      await embed(rig.embedder, odd);
    });

    test("does nothing after an abort, and says so as a value", async () => {
      const result = await rig.embedder.embed(["apple"], "query", AbortSignal.abort());
      expect(result).toEqual({ ok: false, error: expect.stringContaining("stopped") });
      expect(rig.script?.asked ?? []).toEqual([]);
    });
  });
  embedderFailures(suite);
}
