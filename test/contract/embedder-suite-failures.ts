import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { EmbeddingStep } from "#test/doubles/embedding-steps.ts";
import { eventually } from "#test/harness/wait.ts";
import { embed, patientPorts, type EmbedderRig, type EmbedderSuite } from "./embedder-rig.ts";

/** How an embedder with a service behind it fails: as a value, with words for the operator. */
const wrong: readonly (readonly [name: string, step: EmbeddingStep, words: RegExp])[] = [
  ["too few vectors", { change: (rows) => rows.slice(1) }, /1 vectors to 2 texts|numbered/],
  ["a short vector", { change: (rows) => rows.map((row) => row.slice(1)) }, /dimensions/],
  ["a zero vector", { change: (rows) => rows.map((row) => row.map(() => 0)) }, /direction/],
  ["no numbers", { change: (rows) => rows.map((row) => row.map(() => null)) }, /no embeddings/],
  ["no vectors", { body: "{}" }, /no embeddings/],
  ["no JSON", { body: "<html>" }, /JSON|no embeddings/],
];

export function embedderFailures(suite: EmbedderSuite): void {
  describe(`${suite.name}: a failure`, () => {
    let rig: EmbedderRig;
    beforeEach(async () => {
      rig = await suite.start(patientPorts());
    });
    afterEach(() => rig.stop());

    async function errorOf(signal = new AbortController().signal): Promise<string> {
      const result = await rig.embedder.embed(["apple", "river"], "query", signal);
      if (result.ok) throw new Error("it did not fail");
      for (const secret of rig.secrets) expect(result.error).not.toContain(secret);
      expect(result.error).toContain(rig.embedder.model);
      return result.error;
    }

    test.each(wrong)("that is an answer with %s is told", async (_name, step, words) => {
      if (!rig.script) return;
      rig.script.play(step, step, step);
      expect(await errorOf()).toMatch(words);
      expect(rig.script.asked).toHaveLength(1);
    });

    test("that may pass is tried again twice", async () => {
      if (!rig.script) return;
      rig.script.play({ status: 429 }, { status: 503 });
      await embed(rig.embedder, ["apple"]);
      expect(rig.script.asked).toHaveLength(3);
    });

    test("that lasts is told after three tries", async () => {
      if (!rig.script) return;
      rig.script.play({ status: 500 }, { status: 500 }, { status: 500 });
      expect(await errorOf()).toContain("500");
      expect(rig.script.asked).toHaveLength(3);
    });

    test("whose wait would be too long for a search is told at once", async () => {
      if (!rig.script) return;
      rig.script.play({ status: 429, retryAfter: 60 });
      expect(await errorOf()).toContain("this passes");
      expect(rig.script.asked).toHaveLength(1);
    });

    test("of the key is told at once, without the key", async () => {
      if (!rig.script) return;
      const message = `no access with ${rig.secrets[0] ?? "this"}`;
      rig.script.play({ status: 401, message });
      expect(await errorOf()).toContain("does not accept");
      expect(rig.script.asked).toHaveLength(1);
    });

    test("to answer ends with an abort", async () => {
      if (!rig.script) return;
      const { script } = rig;
      script.play({ hang: true });
      const stop = new AbortController();
      const failed = errorOf(stop.signal);
      await eventually(() => script.asked.length === 1);
      stop.abort();
      expect(await failed).toContain("stopped");
    });

    test("to answer ends by itself after ten seconds", async () => {
      const held: (() => void)[] = [];
      const sleep = (ms: number) =>
        new Promise<void>((resolve) => held.push(ms === 10_000 ? resolve : () => {}));
      await rig.stop();
      rig = await suite.start({ ...patientPorts(), sleep });
      const { script } = rig;
      if (!script) return;
      script.play({ hang: true });
      const failed = errorOf();
      await eventually(() => script.asked.length === 1);
      for (const release of held) release();
      expect(await failed).toContain("did not answer in time");
    });

    test("to be reached is told", async () => {
      if (!rig.script) return;
      await rig.stop();
      expect(await errorOf()).toContain("was not reached");
    });
  });
}
