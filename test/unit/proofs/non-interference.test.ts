import { expect, test } from "vitest";
import { nonInterference } from "#test/proofs/non-interference.ts";

/** `npm run bench -- proofs` does it for thousands. */
test(
  "whatever comes from outside, what gets anywhere by itself is byte for byte as without it",
  { timeout: 120_000 },
  () => nonInterference(100, (beside, without) => expect(beside).toEqual(without)),
);
