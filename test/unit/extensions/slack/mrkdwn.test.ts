import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toMrkdwn } from "#ext/slack/mrkdwn.ts";
import { parseMarkdown } from "#kit/markdown/parse.ts";

const mrkdwn = (markdown: string) => toMrkdwn(parseMarkdown(markdown));
const gap = "\u200b";

describe("Markdown in Slack's mark-up", () => {
  // B22
  it("escapes what could ping or vanish, and keeps links", () => {
    const markdown =
      "**Rule:** when n < 3 && m > 4 use `p<q` [docs](https://example.org/?a=1&b=2) <!channel> <@U0FAKE0001>";
    expect(mrkdwn(markdown)).toBe(
      "*Rule:* when n &lt; 3 &amp;&amp; m &gt; 4 use `p&lt;q` " +
        "<https://example.org/?a=1&amp;b=2|docs> &lt;!channel&gt; &lt;@U0FAKE0001&gt;",
    );
  });

  // B22
  it("keeps a link that is written in Slack's way, and escapes nothing twice", () => {
    const markdown = "Read <https://example.org/plan|the plan>.";
    expect(mrkdwn(markdown)).toBe(markdown);
    expect(mrkdwn("[a](https://example.org/?x=1&amp;y=2)")).toBe(
      "<https://example.org/?x=1&amp;y=2|a>",
    );
    expect(mrkdwn("fish &amp; chips")).toBe("fish &amp; chips");
  });

  it.each([
    ["**bold** *italic* ~~gone~~", "*bold* _italic_ ~gone~"],
    ["***both***", "*_both_*"],
    ["**a `b` c**", "*a `b` c*"],
    ["# Title with **bold**", "*Title with bold*"],
    ["**two\nlines**", "*two*\n*lines*"],
    ["hyper**bold**ly", `hyper${gap}*bold*${gap}ly`],
    ["你好**世界**啊", `你好${gap}*世界*${gap}啊`],
    ["(**x**), `y`.", "(*x*), `y`."],
    ["`` a`b ``", "a`b"],
    ["https://example.org", "<https://example.org>"],
    ["[**bold** label](https://example.org/a|b)", "<https://example.org/a%7Cb|bold label>"],
    ["[x < y](https://example.org)", "<https://example.org|x &lt; y>"],
    ["||secret||", "secret"],
    ["a\n\n---\n\nb", "a\n\n———\n\nb"],
  ])("renders %j", (markdown, expected) => {
    expect(mrkdwn(markdown)).toBe(expected);
  });

  it("renders lists with bullets, numbers, boxes and levels", () => {
    const markdown =
      "- one\n  - two\n    - three\n- [x] done\n- [ ] open\n\n7. seven\n8. eight\n\n   more";
    expect(mrkdwn(markdown)).toBe(
      "• one\n    ◦ two\n        ▪ three\n☑ done\n☐ open\n\n7. seven\n8. eight\n    more",
    );
  });

  it("keeps fences at the left edge, without the language, and closed by nothing inside", () => {
    expect(mrkdwn("```js\nif (a < b) {}\n```")).toBe("```\nif (a &lt; b) {}\n```");
    expect(mrkdwn("- item\n\n  ```\n  x\n  ```")).toBe("• item\n```\nx\n```");
    expect(mrkdwn("> said\n>\n> ```\n> x\n> ```")).toBe("> said\n> \n```\nx\n```");
    expect(mrkdwn("````\n```\n````")).toBe(`\`\`\`\n\`\`${gap}\`\n\`\`\``);
  });

  it("flattens quotes", () => {
    expect(mrkdwn("> a\n> > b")).toBe("> a\n> \n> b");
    expect(mrkdwn("- x\n\n  > y")).toBe("• x\n> y");
  });

  it("sets tables in fixed-width columns, with the targets of links", () => {
    const markdown =
      "| Name | Was |\n|---|---|\n| Ada | [first](https://example.org) |\n| 日本 | <b> |";
    expect(mrkdwn(markdown)).toBe(
      [
        "```",
        "Name | Was",
        "-----+----------------------------",
        "Ada  | first (https://example.org)",
        "日本 | &lt;b&gt;",
        "```",
      ].join("\n"),
    );
  });

  it("leaves no control sequence in any text but links it made", () => {
    const piece = fc.constantFrom(
      "<!channel>",
      "<!here|x>",
      "<@U0FAKE0001>",
      "<#C0FAKE0001|g>",
      "<https://example.org|x>",
      "[a](https://example.org/?q=<!here>)",
      "[<!channel>](https://example.org)",
      "&lt;!channel&gt;",
      "&amp;lt;",
      "`<@U1>`",
      "**",
      "*",
      "_",
      "```\n",
      "\n",
      "> ",
      "| a | b |\n|---|---|\n",
      "x",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
        const rest = mrkdwn(pieces.join("")).replace(/<https?:\/\/[^<>|\s]*(?:\|[^<>]*)?>/g, "");
        expect(rest).not.toContain("<");
        expect(rest.replace(/&(?:amp|lt|gt);/g, "")).not.toContain("&");
      }),
      { numRuns: 300 },
    );
  });
});
