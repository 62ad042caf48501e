import { expect, test } from "vitest";
import { instructionsOf } from "#core/turn/instructions.ts";

const by = (...given: (string | undefined)[]) =>
  instructionsOf(
    given.map((instructions) => ({ extra: instructions === undefined ? {} : { instructions } })),
  );

test("what all requests say is said once", () => {
  expect(by("be short")).toBe("be short");
  expect(by("be short", "be short")).toBe("be short");
  expect(by(undefined, undefined)).toBeUndefined();
});

test("what only some say stays with the message it came with", () => {
  expect(by("be short", undefined, "in verse")).toBe(
    "For message 1 of the 3 that wait for an answer:\nbe short\n\nFor message 3 of the 3 that wait for an answer:\nin verse",
  );
});
