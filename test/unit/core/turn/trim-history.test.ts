import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { EntrySize } from "#contract/transcript.ts";
import { trimHistory } from "#core/turn/trim-history.ts";

function sizes(...list: [turnId: string | null, role: EntrySize["role"], tokens: number][]) {
  return list.map(([turnId, role, tokens], index) => ({ seq: index + 1, turnId, role, tokens }));
}

describe("trimHistory", () => {
  test("keeps everything that fits", () => {
    const entries = sizes(["a", "user", 10], ["a", "assistant", 10], ["b", "user", 10]);
    expect(trimHistory(entries, 30)).toEqual({ fromSeq: 1, leftOutTurns: 0, tokens: 30 });
  });

  test("leaves out whole turns from the beginning", () => {
    const entries = sizes(
      ["a", "user", 10],
      ["a", "assistant", 10],
      ["b", "user", 5],
      ["b", "assistant", 5],
      ["b", "tool", 50],
      ["c", "user", 10],
    );
    expect(trimHistory(entries, 75)).toEqual({ fromSeq: 3, leftOutTurns: 1, tokens: 70 });
    expect(trimHistory(entries, 69)).toEqual({ fromSeq: 6, leftOutTurns: 2, tokens: 10 });
  });

  test("keeps the last turn whatever it costs", () => {
    expect(trimHistory(sizes(["a", "user", 10], ["b", "user", 500]), 20)).toEqual({
      fromSeq: 2,
      leftOutTurns: 1,
      tokens: 500,
    });
  });

  test("does not cut inside a turn that a message from elsewhere interrupts", () => {
    const entries = sizes(
      ["a", "user", 10],
      ["a", "assistant", 10],
      [null, "assistant", 10],
      ["a", "tool", 10],
      ["b", "user", 10],
    );
    expect(trimHistory(entries, 35).fromSeq).toBe(5);
  });

  test("has nothing to keep of nothing", () => {
    expect(trimHistory([], 10)).toEqual({ fromSeq: null, leftOutTurns: 0, tokens: 0 });
  });

  test("never splits a turn, and fits unless only the last turn is left", () => {
    const entry = fc.record({
      turnId: fc.constantFrom("a", "b", "c", "d", null),
      role: fc.constantFrom("user" as const, "assistant" as const, "tool" as const),
      tokens: fc.nat(100),
    });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 20 }), fc.nat(800), (list, budget) => {
        const entries = list.map((one, index) => ({ ...one, seq: index + 1 }));
        const { fromSeq, tokens } = trimHistory(entries, budget);
        const kept = entries.filter((one) => fromSeq !== null && one.seq >= fromSeq);
        const left = entries.filter((one) => fromSeq !== null && one.seq < fromSeq);
        expect(kept.reduce((total, one) => total + one.tokens, 0)).toBe(tokens);
        for (const { turnId } of left) {
          if (turnId !== null) expect(kept.some((one) => one.turnId === turnId)).toBe(false);
        }
        if (left.length > 0) expect(kept.length).toBeGreaterThan(0);
        const less = trimHistory(entries, budget + 100);
        expect(less.tokens).toBeGreaterThanOrEqual(tokens);
      }),
      { numRuns: 500 },
    );
  });
});
