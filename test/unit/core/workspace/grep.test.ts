import { describe, expect, test } from "vitest";
import { compilePattern, LineSearch, type LinePattern } from "#core/workspace/grep.ts";

function pattern(source: string, ignoreCase = false): LinePattern {
  const compiled = compilePattern(source, ignoreCase);
  if (!compiled.ok) throw new Error(compiled.error);
  return compiled.value;
}

function search(source: LinePattern): LineSearch {
  return new LineSearch(source, { now: () => 0, pause: async () => {} });
}

const grepText = (path: string, text: string, source: LinePattern) =>
  search(source).lines(path, text);

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
    "\\b\\w{1,30}@\\w{1,30}\\.\\w{2,8}\\b",
    "é".repeat(200),
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
    async (source) => {
      const line = `${"a".repeat(20_000)}!`;
      expect(await grepText("a.md", line, pattern(source))).toEqual([]);
    },
  );
});

test.each(["((a?){30}){30}z", "a{1,1000}", "(?:foo|bar|baz){900}"])(
  "refuses %j: each character of each file would cost thousands of steps",
  (source) => {
    const compiled = compilePattern(source, false);
    expect(compiled).toEqual({ ok: false, error: expect.stringContaining("too costly") });
  },
);

describe("LineSearch", () => {
  test("gives each matching line once, with its number from 1", async () => {
    const text = "one boat, two boats\r\nnothing\nBOAT";
    expect(await grepText("a.md", text, pattern("boat"))).toEqual([
      { path: "a.md", line: 1, text: "one boat, two boats" },
    ]);
    const folded = await grepText("a.md", text, pattern("boat", true));
    expect(folded.map((match) => match.line)).toEqual([1, 3]);
  });

  test("cuts a long line around the match", async () => {
    const line = `${"x".repeat(500)}needle${"y".repeat(500)}`;
    const [match] = await grepText("a.md", line, pattern("needle"));
    expect(match?.text).toContain("needle");
    expect(match?.text.length).toBeLessThanOrEqual(300);
  });

  test("looks at the beginning of a line without end, and says so", async () => {
    const looking = search(pattern("b"));
    const filler = "a".repeat(40_000);
    expect(await looking.lines("a.md", `ab${filler}\n`)).toHaveLength(1);
    expect(await looking.lines("a.md", `${filler}b\nb`)).toMatchObject([{ line: 2 }]);
    expect(looking.partial).toBe(true);
  });

  test("keeps at most 200 matches of a file", async () => {
    expect(await grepText("a.md", "x\n".repeat(1_000), pattern("x"))).toHaveLength(200);
  });
});
