import { describe, expect, it } from "vitest";
import { parseMarkdown } from "#kit/markdown/parse.ts";
import { isBlank, toPlainText, visibleText } from "#kit/markdown/plain.ts";

describe("toPlainText", () => {
  it("shows structure without mark-up", () => {
    const source =
      "# Title\n\n**Bold** and `code`.\n\n> quoted\n> - a\n\n1. one\n   - inner\n2. two\n\n- [x] done\n- [ ] open\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n---\n\n```js\nx < y\n```";
    expect(toPlainText(parseMarkdown(source))).toBe(
      [
        "Title",
        "Bold and code.",
        "> quoted\n> \n> • a",
        "1. one\n   • inner\n2. two",
        "• [x] done\n• [ ] open",
        "a | b\n1 | 2",
        "———",
        "x < y",
      ].join("\n\n"),
    );
  });

  it("names a link's target once, unless the text is the target", () => {
    const source = "[**the** plan](https://example.org/p), https://example.org/q, www.example.org";
    expect(toPlainText(parseMarkdown(source))).toBe(
      "the plan (https://example.org/p), https://example.org/q, www.example.org",
    );
  });

  it("is the unescaped source where the source is plain", () => {
    // B09
    const source = "From: **Pat Doe** <pat.doe@example.org> & co";
    expect(toPlainText(parseMarkdown(source))).toBe("From: Pat Doe <pat.doe@example.org> & co");
  });
});

describe("visibleText", () => {
  it("is the text alone, a line per leaf", () => {
    const source =
      "# T\n\n> a\n\n1. b\n2. [c](https://example.org)\n\n| d | |\n|---|---|\n| e | f |\n\n---";
    expect(visibleText(parseMarkdown(source))).toBe("T\na\nb\nc\nd\ne\nf");
  });
});

describe("isBlank", () => {
  it.each(["", "```\n\n\n```", "- \n- ", "&nbsp;", "> "])("says yes to %j", (source) => {
    expect(isBlank(parseMarkdown(source))).toBe(true);
  });

  it.each(["a", "---", "```\na\n```", "- a", "> a", "|a|\n|-|"])("says no to %j", (source) => {
    expect(isBlank(parseMarkdown(source))).toBe(false);
  });
});
