import fc from "fast-check";
import { expect, test } from "vitest";
import { lineHash } from "#core/memory/line-hash.ts";

test("a line is the same whatever notes it carries and whatever space is around it", () => {
  const plain = lineHash("- Ada is vegetarian");
  expect(plain).toMatch(/^[0-9a-f]{16}$/);
  expect(lineHash("  - Ada is vegetarian  ")).toBe(plain);
  expect(lineHash("- Ada is vegetarian <!-- importance: 8 -->")).toBe(plain);
  expect(lineHash("- Ada <!-- trigger: food, dinner --> is vegetarian")).toBe(plain);
  expect(lineHash("- Ada is a vegetarian")).not.toBe(plain);
});

test("two Unicode forms of one text are one line", () => {
  expect(lineHash("Caf\u00e9")).toBe(lineHash("Cafe\u0301"));
});

test("a comment that is no note of ours belongs to the text", () => {
  expect(lineHash("Milk <!-- or oats -->")).not.toBe(lineHash("Milk"));
});

test("any text has a hash, and the same one each time", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(lineHash(text)).toMatch(/^[0-9a-f]{16}$/);
      expect(lineHash(text)).toBe(lineHash(` ${text} `));
    }),
  );
});
