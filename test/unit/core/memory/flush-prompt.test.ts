import { expect, test } from "vitest";
import { factsOf, flushText } from "#core/memory/flush-prompt.ts";

test("only lines that say so are facts, each once and not too many", () => {
  expect(factsOf("NONE")).toEqual([]);
  expect(factsOf("I cannot do that.\n- a list\nFACT:\n")).toEqual([]);
  expect(factsOf("FACT: Ada likes tea\n- FACT: Bo is 3\nFACT: Ada likes tea")).toEqual([
    "Ada likes tea",
    "Bo is 3",
  ]);
  const many = Array.from({ length: 30 }, (_, index) => `FACT: number ${index}`).join("\n");
  expect(factsOf(many)).toHaveLength(10);
});

test("the newest that fits is shown, oldest first", () => {
  const lines = Array.from({ length: 40 }, (_, index) => ({
    speaker: "owner" as const,
    text: `${index} ${"word ".repeat(200)}`,
  }));
  const text = flushText(lines);
  expect(text.length).toBeLessThan(25_000);
  expect(text).toContain("owner: 39 ");
  expect(text).not.toContain("owner: 0 ");
  expect(text.indexOf("owner: 38 ")).toBeLessThan(text.indexOf("owner: 39 "));
});
