import { expect, test } from "vitest";
import { inReach } from "#kit/in-reach.ts";

test.each([
  [1_000, 1_000],
  [900, 900],
  [1_060, 1_060],
  [1_061, 1_000],
])("at 1,000, with sixty as the longest wait, %i counts as %i", (at, counts) => {
  expect(inReach(at, 1_000, 60)).toBe(counts);
});
