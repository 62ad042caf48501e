import { expect, test } from "vitest";
import { touchedDirectives } from "#core/memory/touched-directives.ts";

const answers = { text: "Answer questions about money in euros.", active: true };
const old = { text: "Write money in dollars.", active: false };

test("a directive that a message touches is repeated", () => {
  expect(touchedDirectives("How much money is left?", [answers, old])).toEqual([answers.text]);
});

test("one that was superseded, or is about something else, is not", () => {
  expect(touchedDirectives("Send dollars", [old])).toEqual([]);
  expect(touchedDirectives("What is the weather", [answers])).toEqual([]);
});

test("what both say of how a sentence is built does not touch", () => {
  const bank = { text: "Keep to yourself what the bank does.", active: true };
  expect(touchedDirectives("What does Eva play?", [bank])).toEqual([]);
  expect(touchedDirectives("What does the bank want?", [bank])).toEqual([bank.text]);
});

test("together they have at most 600 characters, and none is cut", () => {
  const many = Array.from({ length: 20 }, (_, index) => ({
    text: `Directive ${index} about tea: ${"x".repeat(100)}`,
    active: true,
  }));
  const said = touchedDirectives("tea please", many);
  expect(said.join("\n").length).toBeLessThanOrEqual(600);
  expect(said).toEqual(many.slice(0, said.length).map(({ text }) => text));
});
