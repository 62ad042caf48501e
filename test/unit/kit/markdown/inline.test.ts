import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Inline, Marks } from "#kit/markdown/document.ts";
import {
  appendRun,
  type InlineNode,
  inlineText,
  nestInline,
  sliceInline,
} from "#kit/markdown/inline.ts";
import type { Run } from "#kit/markdown/document.ts";
import { inlineArbitrary } from "./arbitrary.ts";

function flatten(nodes: readonly InlineNode[], marks: Marks = {}): Run[] {
  const runs: Run[] = [];
  for (const node of nodes) {
    const inner: readonly Run[] =
      node.type === "text"
        ? [{ text: node.text, marks }]
        : flatten(node.children, addMark(marks, node));
    for (const run of inner) appendRun(runs, run.text, run.marks);
  }
  return runs;
}

function addMark(marks: Marks, node: InlineNode & { type: "mark" }): Marks {
  expect(marks[node.mark]).toBeUndefined();
  return node.mark === "link" ? { ...marks, link: node.url } : { ...marks, [node.mark]: true };
}

describe("nestInline", () => {
  it("gives nodes that flatten to the same runs, each mark at most once on a path", () => {
    const property = fc.property(inlineArbitrary, (inline) => {
      expect(flatten(nestInline(inline))).toEqual(inline);
    });
    fc.assert(property, { numRuns: 500 });
  });

  it("opens the mark that reaches furthest first and keeps code innermost", () => {
    const link = "https://example.org";
    const inline: Inline = [
      { text: "a", marks: { link, bold: true } },
      { text: "b", marks: { link } },
      { text: "c", marks: { link, code: true } },
      { text: "d", marks: { bold: true, italic: true, code: true } },
    ];
    expect(nestInline(inline)).toEqual([
      {
        type: "mark",
        mark: "link",
        url: link,
        children: [
          { type: "mark", mark: "bold", url: "", children: [{ type: "text", text: "a" }] },
          { type: "text", text: "b" },
          { type: "mark", mark: "code", url: "", children: [{ type: "text", text: "c" }] },
        ],
      },
      {
        type: "mark",
        mark: "bold",
        url: "",
        children: [
          {
            type: "mark",
            mark: "italic",
            url: "",
            children: [
              { type: "mark", mark: "code", url: "", children: [{ type: "text", text: "d" }] },
            ],
          },
        ],
      },
    ]);
  });
});

describe("sliceInline", () => {
  it("gives two parts that make the whole, wherever it is cut", () => {
    const property = fc.property(inlineArbitrary, fc.nat(), (inline, number) => {
      const text = inlineText(inline);
      const offset = number % (text.length + 1);
      const head = sliceInline(inline, 0, offset);
      const tail = sliceInline(inline, offset, Infinity);
      expect(inlineText(head)).toBe(text.slice(0, offset));
      expect(inlineText(tail)).toBe(text.slice(offset));
      expect([...head, ...tail].every((run) => run.text !== "")).toBe(true);
    });
    fc.assert(property, { numRuns: 500 });
  });
});
