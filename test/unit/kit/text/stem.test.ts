import { describe, expect, test } from "vitest";
import { singular, stem } from "#kit/text/stem.ts";
import { functionWords } from "#kit/text/stop-words.ts";

describe("the singular", () => {
  test.each([
    ["dogs", "dog"],
    ["allergies", "allergy"],
    ["ties", "tie"],
    ["glasses", "glass"],
    ["boxes", "box"],
    ["churches", "church"],
    ["glass", "glass"],
    ["virus", "virus"],
    ["this", "this"],
    ["gas", "gas"],
    ["sailing", "sailing"],
    ["eva's", "eva's"],
    ["cafés", "cafés"],
  ])("of %j is %j", (word, expected) => {
    expect(singular(word)).toBe(expected);
  });
});

test.each([...functionWords])("%j has no plural to be cut off", (word) => {
  expect(singular(word)).toBe(word);
});

describe("the stem", () => {
  test.each([
    ["dogs", "dog"],
    ["allergies", "allergy"],
    ["glasses", "glass"],
    ["boxes", "box"],
    ["churches", "church"],
    ["virus", "virus"],
    ["sailing", "sail"],
    ["sailed", "sail"],
    ["prefers", "prefer"],
    ["prefere", "prefer"],
    ["eva's", "eva"],
    ["they'll", "they"],
    ["sing", "sing"],
    ["cats", "cat"],
    ["cafés", "cafés"],
    ["a17", "a17"],
  ])("of %j is %j", (word, expected) => {
    expect(stem(word)).toBe(expected);
  });
});
