import { describe, expect, test } from "vitest";
import { compilePattern, grepText, type LinePattern } from "#core/workspace/grep.ts";

function pattern(source: string, ignoreCase = false): LinePattern {
  const compiled = compilePattern(source, ignoreCase);
  if (!compiled.ok) throw new Error(compiled.error);
  return compiled.value;
}

describe("compilePattern", () => {
  test.each([
    "boat",
    "2031-0[1-9]",
    "foo|bar|baz",
    "^- \\[ \\]",
    "(?:Ada|Grace) said",
    "a.*b",
    "\\bto do\\b",
    "コーヒー",
    "[a-z]+@[a-z]+",
    "\\-x",
    "https?://",
    "(ab)+",
    "[*+?]",
    "\\(a\\+\\)\\+",
  ])("takes %j", (source) => {
    expect(compilePattern(source, false).ok).toBe(true);
  });

  test.each(["", "(", "[a", "(.)\\1", "(?<n>a)\\k<n>", "(?=x)", "x".repeat(300)])(
    "refuses %j with a reason",
    (source) => {
      const compiled = compilePattern(source, false);
      expect(compiled).toEqual({ ok: false, error: expect.stringContaining("pattern") });
    },
  );

  test.each(["(a+)+$", "(a|a)*b", "(a?){40}a{40}b", "((a)*)*b", ".*.*.*.*x", "a.*a.*a.*b"])(
    "comes to an end with %j, which would make other engines backtrack",
    (source) => {
      const line = `${"a".repeat(20_000)}!`;
      expect(grepText("a.md", line, pattern(source))).toEqual([]);
    },
  );
});

describe("grepText", () => {
  test("gives each matching line once, with its number from 1", () => {
    const text = "one boat, two boats\r\nnothing\nBOAT";
    expect(grepText("a.md", text, pattern("boat"))).toEqual([
      { path: "a.md", line: 1, text: "one boat, two boats" },
    ]);
    expect(grepText("a.md", text, pattern("boat", true)).map((match) => match.line)).toEqual([
      1, 3,
    ]);
  });

  test("cuts a long line around the match", () => {
    const line = `${"x".repeat(500)}needle${"y".repeat(500)}`;
    const [match] = grepText("a.md", line, pattern("needle"));
    expect(match?.text).toContain("needle");
    expect(match?.text.length).toBeLessThanOrEqual(300);
  });

  test("keeps at most 200 matches of a file", () => {
    expect(grepText("a.md", "x\n".repeat(1_000), pattern("x"))).toHaveLength(200);
  });
});
