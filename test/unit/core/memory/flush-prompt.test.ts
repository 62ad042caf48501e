import { expect, test } from "vitest";
import { factsOf, flushPart } from "#core/memory/flush-prompt.ts";

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

test("a long part is asked about in several questions, in order and without gaps", () => {
  const lines = Array.from({ length: 100 }, (_, index) => ({
    seq: index + 1,
    speaker: "owner" as const,
    text: `${index} ${"word ".repeat(200)}`,
  }));
  const texts: string[] = [];
  let from = 0;
  while (from < 100) {
    const part = flushPart(lines.filter(({ seq }) => seq > from));
    expect(part?.text.length).toBeLessThan(50_000);
    texts.push(part?.text ?? "");
    from = part?.lastSeq ?? 100;
  }
  expect(texts.length).toBeGreaterThan(1);
  const numbers = texts.join("\n\n").match(/(?<=owner: )\d+/g);
  expect(numbers).toEqual(lines.map((_line, index) => String(index)));
  expect(flushPart([])).toBeNull();
});
