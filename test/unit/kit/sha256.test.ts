import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sha256Hex } from "#kit/sha256.ts";

const reference = (text: string) => createHash("sha256").update(text).digest("hex");

describe("sha256Hex", () => {
  test.each([0, 1, 55, 56, 63, 64, 65, 119, 120, 1_000_003])(
    "agrees for %i characters",
    (length) => {
      const text = "a".repeat(length);
      expect(sha256Hex(text)).toBe(reference(text));
    },
  );

  test("agrees with node for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
        expect(sha256Hex(text)).toBe(reference(text));
      }),
    );
  });
});
