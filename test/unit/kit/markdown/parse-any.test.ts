import fc from "fast-check";
import { Lexer, Tokenizer } from "marked";
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
    ["quotes", ">"],
    ["lists", "- "],
    ["emphasis", "*a **b "],
    ["intraword underscores", "a_b_"],
    ["pipes", "|"],
    ["brackets", "[a]("],
    ["setext lines", "a\n-\n"],
    ["comments", "<!-- "],
  ])(
    "does no more than twice the work for twice the %s",
    (_, piece) => {
      const work = (length: number) => workOf(piece.repeat(length / piece.length));
      const [half, whole] = [work(24_000), work(48_000)];
      for (const part of ["patterns", "tables", "inline"] as const) {
        expect(whole[part], part).toBeLessThanOrEqual(half[part] * 2.5);
      }
      expect(half.patterns).toBeGreaterThan(0);
    },
    60_000,
  );
});

/**
 * What reading a text costs, the same on any machine: patterns that are tried, characters the library
 * looks through for a table, and for inline text the square of each stretch, its cost at the worst.
 */
function workOf(source: string): Record<"patterns" | "tables" | "inline", number> {
  const work = { patterns: 0, tables: 0, inline: 0 };
  const restore = [
    watched(RegExp.prototype, "exec", () => (work.patterns += 1)),
    watched(Tokenizer.prototype, "table", (text) => (work.tables += text.length)),
    watched(Lexer.prototype, "inlineTokens", (text) => (work.inline += text.length ** 2)),
  ];
  try {
    parseMarkdown(source);
  } finally {
    for (const each of restore) each();
  }
  return work;
}

/** Tells of each call of a method before it is made, until the returned function is called. */
function watched(owner: object, name: string, tell: (text: string) => void): () => void {
  const original = Reflect.get(owner, name) as (...given: unknown[]) => unknown;
  Reflect.set(owner, name, function (this: unknown, text: string, ...rest: unknown[]) {
    tell(text);
    return Reflect.apply(original, this, [text, ...rest]);
  });
  return () => void Reflect.set(owner, name, original);
}

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
