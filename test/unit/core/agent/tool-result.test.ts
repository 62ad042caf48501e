import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { limitToolResult, shareRoom } from "#core/agent/tool-result.ts";

const window = 200_000;

describe("limitToolResult", () => {
  test("leaves what fits as it is", () => {
    const text = "x".repeat(16_000);
    expect(limitToolResult(text, window)).toBe(text);
  });

  test("keeps the head and says how much was cut", () => {
    const limited = limitToolResult(`begin ${"word ".repeat(10_000)}end`, window);
    expect(limited.length).toBeLessThanOrEqual(16_000);
    expect(limited).toMatch(/^begin /);
    expect(limited).not.toMatch(/end$/);
    const [, cut = "", whole = ""] =
      /\[… ([\d,]+) of ([\d,]+) characters cut …\]/.exec(limited) ?? [];
    expect(whole).toBe("50,009");
    const kept = limited.replace(/\n\[….*…\]\n?/, "").length;
    expect(Number(cut.replace(/,/g, ""))).toBe(50_009 - kept);
  });

  test("keeps the tail when it holds an error", () => {
    const log = "line of the build\n".repeat(3000);
    for (const ending of ["TypeError: x is not a function", "make: *** failed", "连接失败"]) {
      const limited = limitToolResult(log + ending, window);
      expect(limited.endsWith(ending)).toBe(true);
      expect(limited.length).toBeLessThanOrEqual(16_000);
    }
    expect(limitToolResult(`${log}last words`, window, true)).toMatch(/last words$/);
    expect(limitToolResult(`error at first\n${log}`, window)).not.toMatch(/line of the build\n?$/);
  });

  test("takes at most 30 % of a small window, but keeps 2,000 characters", () => {
    const small = limitToolResult("word ".repeat(20_000), 10_000);
    expect(small.length).toBeLessThanOrEqual(12_000);
    expect(small.length).toBeGreaterThan(9_000);
    const chinese = limitToolResult("明天下雨吗".repeat(4_000), 20_000);
    expect(chinese.length).toBeLessThanOrEqual(6_000);
    expect(limitToolResult("x".repeat(9_000), 100).indexOf("\n")).toBeGreaterThanOrEqual(2_000);
  });

  test("never cuts a character in half and always keeps the beginning", () => {
    const text = fc
      .array(fc.constantFrom("a", "🔥", "明", "\n", " error "), { minLength: 1, maxLength: 50 })
      .chain((piece) => fc.nat(2000).map((count) => piece.join("").repeat(count)));
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 100, max: 200_000 }),
        fc.boolean(),
        (value, tokens, bad) => {
          const limited = limitToolResult(value, tokens, bad);
          expect(limited.isWellFormed()).toBe(true);
          expect(limited.length).toBeLessThanOrEqual(16_000);
          expect(limited.slice(0, 1900)).toBe(value.slice(0, 1900));
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe("shareRoom", () => {
  const said = fc.record({ text: fc.string({ maxLength: 3_000 }), isError: fc.boolean() });

  test("keeps a batch within its room, but for the marks of what was cut", () => {
    const mark = 80;
    fc.assert(
      fc.property(fc.array(said, { maxLength: 40 }), fc.nat({ max: 20_000 }), (results, room) => {
        const texts = shareRoom(results, room);
        const sum = texts.reduce((all, text) => all + text.length, 0);
        expect(texts).toHaveLength(results.length);
        expect(sum).toBeLessThanOrEqual(room + mark * results.length);
      }),
    );
  });

  test("leaves short results whole and lets long ones share the rest", () => {
    const short = { text: "all is well", isError: false };
    const long = { text: "x".repeat(50_000), isError: false };
    const [first, second, third] = shareRoom([long, short, long], 20_000);
    expect(second).toBe(short.text);
    for (const text of [first, third]) {
      expect(text?.length).toBeGreaterThan(9_500);
      expect(text).toContain("characters cut");
    }
  });

  test("changes nothing where there is room for all", () => {
    fc.assert(
      fc.property(fc.array(said, { maxLength: 10 }), (results) => {
        expect(shareRoom(results, 30_000)).toEqual(results.map(({ text }) => text));
      }),
    );
  });
});
