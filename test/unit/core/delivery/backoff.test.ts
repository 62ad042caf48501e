import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { backoffMs, jitterOf } from "#core/delivery/backoff.ts";

describe("backoffMs", () => {
  it("lies between 0.3 s and 37.5 s when nothing was asked for", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (n, r) => {
          const wait = backoffMs(n, undefined, r);
          expect(wait).toBeGreaterThanOrEqual(300);
          expect(wait).toBeLessThanOrEqual(37_500);
        },
      ),
    );
  });

  it("never waits less than it was asked to", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.nat(600_000), (n, asked) => {
        expect(backoffMs(n, asked, 0)).toBeGreaterThanOrEqual(asked);
      }),
    );
  });

  it("grows with the attempts", () => {
    const waits = [1, 2, 3, 4, 5].map((attempt) => backoffMs(attempt, undefined, 0.5));
    expect(waits).toEqual([400, 800, 1_600, 3_200, 6_400]);
  });
});

describe("jitterOf", () => {
  it("is a fraction, the same for the same id", () => {
    fc.assert(
      fc.property(fc.string(), (id) => {
        const value = jitterOf(id);
        expect(value).toBe(jitterOf(id));
        expect(value >= 0 && value < 1).toBe(true);
      }),
    );
  });
});
