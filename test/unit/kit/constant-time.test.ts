import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { constantTimeEqual } from "#kit/constant-time.ts";

describe("constantTimeEqual", () => {
  it("agrees with ===, except that an empty secret matches nothing", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        expect(constantTimeEqual(a, b)).toBe(a === b && b !== "");
        expect(constantTimeEqual(a, a)).toBe(a !== "");
        expect(constantTimeEqual(a + b, b + b)).toBe(a === b && b !== "");
      }),
    );
  });
});
