import { describe, expect, it } from "vitest";
import type { Block } from "#kit/markdown/document.ts";
import { parseMarkdown } from "#kit/markdown/parse.ts";
import { toPlainText, visibleText } from "#kit/markdown/plain.ts";
import { splitDocument } from "#kit/markdown/split.ts";
import { byteLength, isBalanced, parsedSample, renderSample } from "./sample-renderer.ts";

function messageFits(blocks: readonly Block[]): boolean {
  const html = renderSample(blocks);
  return parsedSample(html).length <= 4096 && byteLength(html) <= 32_768;
}

function splitSource(source: string, limit: number): Block[][] {
  return splitDocument(parseMarkdown(source), {
    fits: (blocks) => toPlainText(blocks).length <= limit,
  });
}

function plainGroups(source: string, limit: number): string[] {
  return splitSource(source, limit).map(toPlainText);
}

describe("splitDocument, where it cuts", () => {
  it("prefers the edge of a block to a fuller message", () => {
    const groups = plainGroups("aaa aaa aaa aaa\n\nbbb bbb bbb. bbb bbb", 30);
    expect(groups).toEqual(["aaa aaa aaa aaa", "bbb bbb bbb. bbb bbb"]);
  });

  it("prefers a line end to a sentence, and a sentence to a space", () => {
    expect(plainGroups("one two\nthree. four five six", 22)).toEqual([
      "one two\nthree.",
      "four five six",
    ]);
    expect(plainGroups("one two three\nfour. five six", 22)).toEqual([
      "one two three",
      "four. five six",
    ]);
    expect(plainGroups("one two three. four five six", 22)).toEqual([
      "one two three.",
      "four five six",
    ]);
    expect(plainGroups("one two three four five six", 22)).toEqual([
      "one two three four",
      "five six",
    ]);
  });

  it("cuts scripts without spaces after a full stop", () => {
    expect(plainGroups("汉字汉字汉字。汉字汉字汉字汉字", 10)).toEqual([
      "汉字汉字汉字。",
      "汉字汉字汉字汉字",
    ]);
  });

  it("does not leave a heading behind", () => {
    expect(plainGroups("aaa bbb ccc ddd\n\n# Next\n\neee fff ggg hhh iii", 32)).toEqual([
      "aaa bbb ccc ddd",
      "Next\n\neee fff ggg hhh iii",
    ]);
  });

  it("cuts inside a word only when the word does not fit alone, and between graphemes", () => {
    const family = "👨‍👩‍👧‍👦";
    expect(plainGroups(family.repeat(4), family.length * 2 + 3)).toEqual([
      family.repeat(2),
      family.repeat(2),
    ]);
    expect(plainGroups(`ab ${"x".repeat(12)}`, 12)).toEqual(["ab", "x".repeat(12)]);
  });

  it("takes nothing away from a letter that combines with a space", () => {
    const source = `${"a".repeat(8)} \u0301${"b".repeat(8)}`;
    expect(plainGroups(source, 10)).toEqual(["aaaaaaaa \u0301", "bbbbbbbb"]);
  });

  it("cuts a grapheme that is larger than a message between code points", () => {
    const zalgo = `a${"\u0301".repeat(50)}`;
    const groups = plainGroups(zalgo, 20);
    expect(groups.join("")).toBe(zalgo);
    expect(groups.every((group) => group.length <= 20)).toBe(true);
  });
});

describe("splitDocument, what the pieces look like", () => {
  it("closes and reopens code at line ends, with its language", () => {
    // B06
    const lines = Array.from(
      { length: 300 },
      (_, i) => `const a${i} = x < y && z > 1; // line ${i}`,
    );
    const source = `Intro\n\n\`\`\`ts\n${lines.join("\n")}\n\`\`\`\nOutro`;
    const blocks = parseMarkdown(source);
    const groups = splitDocument(blocks, { fits: messageFits });
    expect(groups.length).toBeGreaterThan(2);
    for (const group of groups) {
      expect(messageFits(group)).toBe(true);
      expect(isBalanced(renderSample(group))).toBe(true);
      for (const block of group) {
        if (block.type !== "code") continue;
        expect(block.language).toBe("ts");
        for (const line of block.text.split("\n")) expect(lines).toContain(line);
      }
    }
    expect(groups.map(visibleText).join("\n")).toBe(visibleText(blocks));
  });

  it("keeps indentation and empty lines of code, except the line end at the cut", () => {
    const code = Array.from({ length: 30 }, (_, i) => `  line ${i}\n`).join("\n");
    const blocks: Block[] = [{ type: "code", language: "", text: code }];
    const groups = splitDocument(blocks, { fits: (part) => toPlainText(part).length <= 60 });
    expect(groups.map(visibleText).join("\n")).toBe(code);
  });

  it("cuts inside a line of code only if the line does not fit alone", () => {
    const source = `\`\`\`\nshort line\n${"x".repeat(25)} ${"y".repeat(25)}\nlast\n\`\`\``;
    expect(plainGroups(source, 40)).toEqual([
      "short line",
      `${"x".repeat(25)} ${"y".repeat(14)}`,
      `${"y".repeat(11)}\nlast`,
    ]);
  });

  it("keeps to a bound on payload bytes as well as on visible units", () => {
    // B07
    const source = "&".repeat(4096);
    const bounded = (blocks: readonly Block[]): boolean =>
      messageFits(blocks) && byteLength(renderSample(blocks)) <= 4096;
    const groups = splitDocument(parseMarkdown(source), { fits: bounded });
    for (const group of groups) {
      expect(byteLength(renderSample(group))).toBeLessThanOrEqual(4096);
      expect(renderSample(group)).not.toMatch(/&[a-z#0-9]{0,6}$/i);
    }
    expect(groups.map((group) => parsedSample(renderSample(group))).join("")).toBe(source);
  });

  it("splits a long quote into quotes", () => {
    // B07
    const source = Array.from({ length: 1_250 }, () => "> q").join("\n");
    const blocks = parseMarkdown(source);
    const groups = splitDocument(blocks, {
      fits: (part) => parsedSample(renderSample(part)).length <= 500,
    });
    expect(groups.length).toBeGreaterThan(4);
    for (const group of groups) expect(group.map((block) => block.type)).toEqual(["quote"]);
    expect(groups.map(visibleText).join("\n")).toBe(visibleText(blocks));
  });

  it("goes on counting in a cut list and shows the marker of a cut item once", () => {
    const source = "7. one two\n8. three four five six seven eight nine\n9. ten\n10. eleven";
    expect(splitSource(source, 27).map((group) => toPlainText(group))).toEqual([
      "7. one two\n8. three four",
      "   five six seven eight",
      "   nine\n9. ten\n10. eleven",
    ]);
  });

  it("keeps the check of an item and the number of cells in pieces", () => {
    const checks = Array.from({ length: 20 }, (_, i) => `- [${i % 2 ? "x" : " "}] task ${i}`);
    const list = splitSource(checks.join("\n"), 60).flatMap((group) => group);
    const items = list.flatMap((block) => (block.type === "list" ? block.items : []));
    expect(items.map((item) => item.checked)).toEqual(checks.map((_, i) => i % 2 === 1));

    const rows = Array.from({ length: 20 }, (_, i) => `| row ${i} | value |`);
    const groups = splitSource(`| a | b |\n|---|---|\n${rows.join("\n")}`, 80);
    const tables = groups.flat().flatMap((block) => (block.type === "table" ? [block] : []));
    expect(tables.map((table) => table.header.length)).toEqual(tables.map((_, i) => (i ? 0 : 2)));
    expect(tables.flatMap((table) => table.rows).length).toBe(20);
    for (const row of tables.flatMap((table) => table.rows)) expect(row.length).toBe(2);
  });

  it("cuts a row that does not fit inside its cells, empty cells filling the rest", () => {
    const groups = splitSource("| a | b |\n|---|---|\n| one two three | four five six |", 16);
    for (const block of groups.flat()) {
      if (block.type !== "table") continue;
      for (const row of block.rows) expect(row.length).toBe(2);
    }
    expect(groups.map(visibleText).join(" ").split(/\s+/)).toEqual(
      "a b one two three four five six".split(" "),
    );
  });

  it("moves on past empty cells and items at the start", () => {
    const header = [[], [], [{ text: "x".repeat(30), marks: {} }]];
    const table: Block = { type: "table", alignment: [null, null, null], header, rows: [] };
    const items = [{ children: [] }, { children: [table] }];
    const list: Block = { type: "list", ordered: true, start: 1, items };
    const fits = (blocks: readonly Block[]): boolean => toPlainText(blocks).length <= 25;
    const groups = splitDocument([list], { fits });
    expect(groups.map(visibleText).join("")).toBe("x".repeat(30));
  });

  it("sends nothing where there is nothing to see", () => {
    expect(splitSource("```\n\n\n```", 10)).toEqual([]);
    expect(splitSource(`\`\`\`\n${"\n".repeat(100)}a\n\`\`\``, 10).map(visibleText)).toEqual([
      expect.stringMatching(/^\n{0,9}a$/),
    ]);
  });

  it("fills messages further when asked to", () => {
    const source = `${"a".repeat(55)}\n\n${"b ".repeat(60)}`;
    const split = (fill: number): number | undefined =>
      splitDocument(parseMarkdown(source), {
        fits: (blocks) => toPlainText(blocks).length <= 100,
        fill,
      }).map(toPlainText)[0]?.length;
    expect(split(0.5)).toBe(55);
    expect(split(0.8)).toBeGreaterThan(80);
  });
});

describe("splitDocument, cost", () => {
  const size = 200_000;
  it.each([
    ["paragraphs", "The quick brown fox jumps over **the** lazy dog & `cat`.\n\n"],
    ["one paragraph", "The quick brown fox [jumps](https://example.org) over the lazy dog. "],
    ["one word", "x"],
    ["emoji", "👨‍👩‍👧‍👦"],
    ["list items", "- item with text\n"],
    ["quote lines", "> quoted line\n"],
  ])(
    "splits 200 KB of %s in about the time of a few renderings",
    (_, unit) => {
      const blocks = parseMarkdown(unit.repeat(Math.ceil(size / unit.length)));
      let rendered = 0;
      const groups = splitDocument(blocks, {
        fits: (part) => {
          const text = toPlainText(part);
          rendered += text.length;
          return text.length <= 4096;
        },
      });
      expect(groups.length).toBeGreaterThan(30);
      expect(rendered).toBeLessThan(size * 25);
    },
    60_000,
  );
});
