import { expect, test } from "vitest";
import { recallFit } from "#core/memory/recall-fit.ts";

const line = "- 14:02 Ada's dog is called Bit and hates thunder";
const fit = (question: string, cosine: number | null = null) =>
  recallFit(question, { line, cosine, floor: 0.3 });

test("a line with all of a question's telling words fits it wholly", () => {
  expect(fit("what is the dog called?")).toBe(1);
  expect(fit("dogs and thunder")).toBe(1);
  expect(fit("does the dog hate thunder?")).toBe(fit("the dog hate thunder"));
});

test("a line with a part of them fits in part, one with none not at all", () => {
  expect(fit("thunder over Lisbon")).toBe(0.5);
  expect(fit("the train to Lisbon")).toBe(0);
});

test("meaning counts where words do not", () => {
  expect(fit("which pet is afraid of storms", 0.65)).toBeCloseTo(0.5);
  expect(fit("which pet is afraid of storms", 1)).toBe(1);
  expect(fit("what is the dog called?", 0.2)).toBe(1);
  expect(fit("trains", -0.3)).toBe(0);
});

test("a cosine that the embedder gives any two texts is no fit at all", () => {
  expect(fit("which pet is afraid of storms", 0.3)).toBe(0);
  expect(fit("which pet is afraid of storms", 0.1)).toBe(0);
});

test("a question without a telling word is answered by nothing", () => {
  expect(fit("what is it?")).toBe(0);
  expect(fit("")).toBe(0);
});
