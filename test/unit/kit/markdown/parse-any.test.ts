import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Block, Inline } from "#kit/markdown/document.ts";
import { parseMarkdown } from "#kit/markdown/parse.ts";
import { visibleText } from "#kit/markdown/plain.ts";
import { sourceArbitrary } from "./arbitrary.ts";

describe("parseMarkdown, for any string", () => {
  it("never throws, and gives runs that are not empty and differ from their neighbours", () => {
    const anything = fc.oneof(
      sourceArbitrary,
      fc.string({ unit: "binary", maxLength: 200 }),
      fc
        .array(fc.constantFrom(..."*_`~|[]()<>!&#-+1. \n\t\\=:\"'a".split("")), { maxLength: 120 })
        .map((characters) => characters.join("")),
    );
    const property = fc.property(anything, (source) => {
      for (const inline of inlinesOf(parseMarkdown(source))) checkRuns(inline);
    });
    fc.assert(property, { numRuns: 2_000 });
  }, 60_000);

  it("never throws while a text streams in", () => {
    const property = fc.property(sourceArbitrary, fc.nat(), (source, cut) => {
      parseMarkdown(source.slice(0, cut % (source.length + 1)));
    });
    fc.assert(property, { numRuns: 500 });
  });

  it("loses no word, whatever surrounds it", () => {
    const wrap = fc.constantFrom(
      "",
      "**",
      "_",
      "`",
      "~~",
      "<",
      "> ",
      "- ",
      "\n",
      "\n\n",
      "# ",
      "|",
      "[",
      "](",
      "&",
      "\n```\n",
    );
    const parts = fc.array(fc.tuple(wrap, wrap), { minLength: 1, maxLength: 30 });
    const property = fc.property(parts, (pairs) => {
      const words = pairs.map((_, index) => `w${index}x`);
      const source = pairs.map(([before, after], i) => `${before} ${words[i]} ${after}`).join(" ");
      const blocks = parseMarkdown(source);
      const shown = visibleText(blocks) + JSON.stringify(blocks);
      for (const word of words) expect(shown).toContain(word);
    });
    fc.assert(property, { numRuns: 1_000 });
  });

  it.each([
    ["quotes", ">".repeat(20_000)],
    ["lists", "- ".repeat(20_000)],
    ["emphasis", "*a **b ".repeat(10_000)],
    ["intraword underscores", "a_b_".repeat(25_000)],
    ["pipes", "|".repeat(100_000)],
    ["brackets", "[a](".repeat(25_000)],
    ["setext lines", "a\n-\n".repeat(25_000)],
    ["comments", "<!-- ".repeat(20_000)],
  ])(
    "reads 100 KB of %s in bounded time",
    (_, source) => {
      // Processor time, so that a busy machine changes nothing. Unbounded, the worst take 20 s and more.
      const before = process.cpuUsage();
      parseMarkdown(source);
      const { user } = process.cpuUsage(before);
      expect(user / 1_000).toBeLessThan(6_000);
    },
    60_000,
  );
});

function inlinesOf(blocks: readonly Block[]): Inline[] {
  return blocks.flatMap((block): Inline[] => {
    switch (block.type) {
      case "paragraph":
      case "heading":
        return [block.content];
      case "quote":
        return inlinesOf(block.children);
      case "list":
        return block.items.flatMap((item) => inlinesOf(item.children));
      case "table":
        for (const row of block.rows) expect(row.length).toBe(block.alignment.length);
        return [block.header, ...block.rows].flat();
      case "code":
      case "rule":
        return [];
    }
  });
}

function checkRuns(inline: Inline): void {
  inline.forEach((run, index) => {
    expect(run.text).not.toBe("");
    expect(run.text.isWellFormed()).toBe(true);
    const next = inline[index + 1];
    if (next !== undefined) expect(next.marks).not.toEqual(run.marks);
  });
}
