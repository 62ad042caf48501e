import fc from "fast-check";
import { expect, test } from "vitest";
import { jsonBytes, truncateToBytes } from "#kit/text/json-bytes.ts";

test.each([
  ["plain letters", "abc", 5],
  ["Chinese", "天气", 8],
  ["a character outside the first plane", "🔥", 6],
  ["what JSON escapes", '"\n\u0001', 12],
  ["half a pair", "\ud83d", 8],
])("the size of %s is counted as it is stored", (_what, text, bytes) => {
  expect(jsonBytes(text)).toBe(bytes);
});

test("nothing has no size", () => {
  expect(jsonBytes(undefined)).toBe(0);
});

test("a text is cut to what has room, and no earlier", () => {
  expect(truncateToBytes("天气很好", 8)).toBe("天气");
  expect(truncateToBytes("天气很好", 10)).toBe("天气");
  expect(truncateToBytes("天气很好", 14)).toBe("天气很好");
  expect(truncateToBytes("a👩‍👩‍👧b", 10)).toBe("a");
  expect(truncateToBytes("abc", 1)).toBe("");
});

test("a cut text is a beginning that has room", () => {
  const text = fc.string({ unit: "binary", maxLength: 80 });
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 200 }), (whole, limit) => {
      const cut = truncateToBytes(whole, limit);
      expect(whole.startsWith(cut)).toBe(true);
      expect(jsonBytes(cut)).toBeLessThanOrEqual(limit);
      if (jsonBytes(whole) <= limit) expect(cut).toBe(whole);
    }),
  );
});
