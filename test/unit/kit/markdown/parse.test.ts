import { describe, expect, it } from "vitest";
import type { Block, Inline } from "#kit/markdown/document.ts";
import { parseMarkdown } from "#kit/markdown/parse.ts";
import { visibleText } from "#kit/markdown/plain.ts";
import { renderInline } from "./sample-renderer.ts";

function inlineOf(source: string): Inline {
  const [block, ...others] = parseMarkdown(source);
  if (block?.type !== "paragraph" || others.length > 0) throw new Error("not one paragraph");
  return block.content;
}

function paragraph(text: string): Block {
  return { type: "paragraph", content: [{ text, marks: {} }] };
}

describe("parseMarkdown, inline", () => {
  it("keeps a bare URL at the end of bold text inside the bold, well-nested", () => {
    // B08
    expect(renderInline(inlineOf("**Check https://example.org/a_b**"))).toBe(
      '<b>Check <a href="https://example.org/a_b">https://example.org/a_b</a></b>',
    );
  });

  it("makes no link of a file name", () => {
    // B08
    expect(renderInline(inlineOf("**See NOTES.md here**"))).toBe("<b>See NOTES.md here</b>");
  });

  it.each([
    "https://example.org/a_b_c",
    "https://example.org/_a_/_b_/c",
    "https://example.org/x_y_z?q_=1",
  ])("starts no italics inside %s", (url) => {
    expect(inlineOf(`see ${url} now`)).toEqual([
      { text: "see ", marks: {} },
      { text: url, marks: { link: url } },
      { text: " now", marks: {} },
    ]);
  });

  it("leaves mail addresses visible as they were written", () => {
    // B09
    expect(inlineOf("From: **Pat Doe** <pat.doe@example.org> & co")).toEqual([
      { text: "From: ", marks: {} },
      { text: "Pat Doe", marks: { bold: true } },
      { text: " <pat.doe@example.org> & co", marks: {} },
    ]);
    expect(inlineOf("write to pat.doe@example.org")).toEqual([
      { text: "write to pat.doe@example.org", marks: {} },
    ]);
  });

  it("keeps what only looks like tags as text", () => {
    // B22
    const source =
      "**Rule:** when n < 3 && m > 4 use `p<q` [docs](https://example.org/?a=1&b=2) <!channel> <@U0FAKE0001>";
    expect(inlineOf(source)).toEqual([
      { text: "Rule:", marks: { bold: true } },
      { text: " when n < 3 && m > 4 use ", marks: {} },
      { text: "p<q", marks: { code: true } },
      { text: " ", marks: {} },
      { text: "docs", marks: { link: "https://example.org/?a=1&b=2" } },
      { text: " <!channel> <@U0FAKE0001>", marks: {} },
    ]);
  });

  it("reads Slack's own links", () => {
    // B22
    expect(inlineOf("Read <https://example.org/plan|the plan>.")).toEqual([
      { text: "Read ", marks: {} },
      { text: "the plan", marks: { link: "https://example.org/plan" } },
      { text: ".", marks: {} },
    ]);
  });

  it.each([
    ["[x](https://example.org/?a=1&amp;b=2)", "x"],
    ["<https://example.org/?a=1&amp;b=2|x>", "x"],
    ["https://example.org/?a=1&amp;b=2", "https://example.org/?a=1&b=2"],
    ["<https://example.org/?a=1&amp;b=2>", "https://example.org/?a=1&b=2"],
  ])("decodes the target of %s once", (source, text) => {
    // B22
    expect(inlineOf(source)).toEqual([{ text, marks: { link: "https://example.org/?a=1&b=2" } }]);
  });

  it.each([
    ["&lt;b&gt; &amp; &copy; &hellip; &#8364; &#x20AC;", "<b> & © … € €"],
    ["&amp;lt; &#38;amp; \\&amp;", "&lt; &amp; &amp;"],
    ["&unknownname; AT&T; & &;", "&unknownname; AT&T; & &;"],
    ["a&#0;b&#xD800;c&#1114112;d&#7;e", "a\ufffdb\ufffdc\ufffdde"],
  ])("decodes the references in %s once", (source, text) => {
    expect(visibleText(parseMarkdown(source))).toBe(text);
  });

  it("decodes nothing inside code", () => {
    expect(visibleText(parseMarkdown("`&lt;`\n\n```\n&amp;\n```"))).toBe("&lt;\n&amp;");
  });

  it("nests marks that cover parts of each other", () => {
    expect(renderInline(inlineOf("**a _b_ [c](https://example.org) d** ~~e~~ ||f g||"))).toBe(
      '<b>a <i>b</i> <a href="https://example.org">c</a> d</b> <s>e</s> <span>f g</span>',
    );
  });

  it.each(["if (a||b||c) stop", "~5 to ~6 ~or~ so", "a || b || c", "2 * 3 * 4", "snake_case_name"])(
    "takes no mark-up out of %s",
    (source) => {
      expect(inlineOf(source)).toEqual([{ text: source, marks: {} }]);
    },
  );

  it.each([
    ["[notes](memory/today.md)", "notes (memory/today.md)"],
    ["[top](#top)", "top"],
    ["[run](javascript:alert(1))", "run"],
    ["![dot](data:image/png;base64,AAAA)", "dot"],
    ["<std::string>", "<std::string>"],
  ])("links nothing in %s", (source, text) => {
    expect(inlineOf(source)).toEqual([{ text, marks: {} }]);
  });

  it("percent-encodes what would end a link in another mark-up", () => {
    expect(inlineOf('[x](<https://example.org/a b|c"d>)')).toEqual([
      { text: "x", marks: { link: "https://example.org/a%20b%7Cc%22d" } },
    ]);
  });

  it("shows a target that is too long to be a link", () => {
    const url = `https://example.org/${"a".repeat(3000)}`;
    expect(inlineOf(`[x](${url})`)).toEqual([{ text: `x (${url})`, marks: {} }]);
  });

  it("turns pictures into links and falls back to the target where a label is empty", () => {
    expect(inlineOf("![cat](https://example.org/c.png) [](https://example.org)")).toEqual([
      { text: "cat", marks: { link: "https://example.org/c.png" } },
      { text: " ", marks: {} },
      { text: "https://example.org", marks: { link: "https://example.org" } },
    ]);
  });

  it("ends a bare URL before full-width punctuation", () => {
    expect(inlineOf("见https://example.org/a。好")).toEqual([
      { text: "见", marks: {} },
      { text: "https://example.org/a", marks: { link: "https://example.org/a" } },
      { text: "。好", marks: {} },
    ]);
  });

  it("keeps every kind of line break", () => {
    expect(visibleText(parseMarkdown("a\nb  \nc\\\n   d<br>e <br/> f"))).toBe("a\nb\nc\nd\ne\nf");
  });
});

describe("parseMarkdown, blocks", () => {
  it("reads the blocks of CommonMark and GFM", () => {
    const source =
      "# T\n\n> q\n>\n> r\n\n3. a\n4. b\n\n- [x] d\n- [ ] e\n\n| h | i |\n|:--|--:|\n| 1 | `2` |\n\n---\n\n```ts title\nx\n\ny\n```";
    expect(parseMarkdown(source)).toEqual([
      { type: "heading", level: 1, content: [{ text: "T", marks: {} }] },
      { type: "quote", children: [paragraph("q"), paragraph("r")] },
      {
        type: "list",
        ordered: true,
        start: 3,
        items: [{ children: [paragraph("a")] }, { children: [paragraph("b")] }],
      },
      {
        type: "list",
        ordered: false,
        start: 1,
        items: [
          { children: [paragraph("d")], checked: true },
          { children: [paragraph("e")], checked: false },
        ],
      },
      {
        type: "table",
        alignment: ["left", "right"],
        header: [[{ text: "h", marks: {} }], [{ text: "i", marks: {} }]],
        rows: [[[{ text: "1", marks: {} }], [{ text: "2", marks: { code: true } }]]],
      },
      { type: "rule" },
      { type: "code", language: "ts", text: "x\n\ny" },
    ]);
  });

  it("reads an unterminated fence as code up to the end", () => {
    expect(parseMarkdown("Look:\n```ts\nconst a = 1;\nlet **b")).toEqual([
      paragraph("Look:"),
      { type: "code", language: "ts", text: "const a = 1;\nlet **b" },
    ]);
  });

  it("reads Markdown between HTML tags and shows the tags", () => {
    expect(parseMarkdown("<details>\n<summary>More</summary>\n\n**x**\n</details>")).toEqual([
      paragraph("<details>\n<summary>More</summary>"),
      {
        type: "paragraph",
        content: [
          { text: "x", marks: { bold: true } },
          { text: "\n</details>", marks: {} },
        ],
      },
    ]);
  });

  it("resolves references and shows definitions that nothing refers to", () => {
    expect(parseMarkdown("See [one][1].\n\n[1]: https://example.org/a\n[todo]: later")).toEqual([
      {
        type: "paragraph",
        content: [
          { text: "See ", marks: {} },
          { text: "one", marks: { link: "https://example.org/a" } },
          { text: ".", marks: {} },
        ],
      },
      paragraph("[todo]: later"),
    ]);
  });

  it("drops half a surrogate pair at the end, and control characters", () => {
    expect(parseMarkdown("ok \ud83d")).toEqual([paragraph("ok")]);
    expect(parseMarkdown("a\u0000b\u001b[0m")).toEqual([paragraph("ab[0m")]);
    expect(parseMarkdown("a\udc00b")).toEqual([paragraph("a\ufffdb")]);
  });

  it("gives nothing for nothing", () => {
    expect(parseMarkdown("")).toEqual([]);
    expect(parseMarkdown(" \n\n\t\n")).toEqual([]);
  });
});
