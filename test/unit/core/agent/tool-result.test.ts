import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { limitToolResult } from "#core/agent/tool-result.ts";

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
