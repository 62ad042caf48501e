import { expect, test } from "vitest";
import { bad, reasonable } from "#test/doubles/dream-models.ts";
import { month } from "#test/proofs/month.ts";

test.each([
  ["no model", null, false],
  ["a reasonable model", reasonable, true],
  ["a bad model", bad(), false],
] as const)(
  "ten days with %s: what mattered is kept, what changed is replaced, talk and poison stay out",
  { timeout: 120_000 },
  async (_name, model, isHeard) => {
    const figures = await month({ days: 10, messages: 12, model });
    expect(figures).toMatchObject({
      kept: figures.planted,
      replaced: figures.changed,
      noise: 0,
      twice: 0,
      tainted: 0,
      restless: false,
      faults: [],
    });
    expect(figures.characters).toBeLessThanOrEqual(12_000);
    expect(figures.nightsThatChanged).toBeGreaterThan(2);
    expect(figures.nightsByModel > 0).toBe(isHeard);
  },
);

test.each([1, 2])(
  "seven days in other words and with other talk, in three languages (%i): nothing of the talk is kept",
  { timeout: 120_000 },
  async (seed) => {
    const figures = await month({ days: 7, messages: 14, model: null, seed });
    expect(figures).toMatchObject({
      kept: figures.planted,
      replaced: figures.changed,
      noise: 0,
      twice: 0,
      tainted: 0,
      restless: false,
      faults: [],
    });
    expect(figures.entries).toBe(figures.planted + figures.changed);
  },
);
