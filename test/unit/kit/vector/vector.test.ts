import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BestScores, byScore } from "#kit/vector/best-scores.ts";
import { cosinesOf, packRows } from "#kit/vector/packed.ts";
import { unitVector } from "#kit/vector/unit.ts";
import { cosine } from "#test/doubles/vectorize-binding.ts";

const score = fc.record({
  sourceId: fc.integer({ min: 1, max: 50 }),
  position: fc.integer({ min: 0, max: 50 }),
  score: fc.integer({ min: -5, max: 5 }),
});

test("the best scores are those that sorting all would put first, whenever they are asked for", () => {
  const property = fc.property(
    fc.array(score, { maxLength: 200 }),
    fc.integer({ min: 0, max: 20 }),
    fc.integer({ min: 0, max: 200 }),
    (scores, limit, pause) => {
      const best = new BestScores(limit);
      for (const [at, one] of scores.entries()) {
        if (at === pause) best.list();
        best.add(one);
      }
      const wanted = scores.toSorted(byScore).slice(0, limit);
      expect(best.list().map((one) => one.score)).toEqual(wanted.map((one) => one.score));
      expect(best.list()).toEqual(wanted);
    },
  );
  fc.assert(property);
});

describe("a vector", () => {
  const values = fc.array(fc.integer({ min: -900, max: 900 }), {
    minLength: 7,
    maxLength: 7,
  });

  test("keeps its direction through unit length and bytes, to within a hundredth", () => {
    fc.assert(
      fc.property(values, values, (one, other) => {
        const [left, right] = [unitVector(one), unitVector(other)];
        fc.pre(left !== null && right !== null);
        expect(cosine(left, left)).toBeCloseTo(1, 5);
        const rows = packRows([{ position: 3, vector: right }], 7);
        const source = { sourceId: 1, generation: 1, model: "m", dimensions: 7, ...rows };
        const [packed] = cosinesOf(left, source);
        expect(Math.abs(packed!.score - cosine(one, other))).toBeLessThan(0.02);
      }),
    );
  });

  test("without direction is none", () => {
    for (const empty of [[], [0, 0], [Number.NaN, 1], [Infinity, 1]]) {
      expect(unitVector(empty)).toBeNull();
    }
  });

  test("stands in the order of positions", () => {
    const vector = unitVector([1, 0])!;
    const other = unitVector([0, -1])!;
    const rows = packRows(
      [
        { position: 5, vector: other },
        { position: 2, vector },
      ],
      2,
    );
    expect(rows).toEqual({ positions: [2, 5], data: Int8Array.of(127, 0, 0, -127) });
  });
});
