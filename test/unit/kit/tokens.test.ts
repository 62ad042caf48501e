import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ModelMessage } from "#contract/model.ts";
import { estimateMessageTokens, estimateTokens } from "#kit/tokens.ts";

describe("estimateTokens", () => {
  // B48
  test.each([
    ["Chinese", "明天下雨吗".repeat(800), 2400, 4400],
    ["Hangul", "버스가늦다".repeat(800), 2400, 4400],
    ["Japanese", "あしたはアメ".repeat(500), 1800, 3300],
    ["ASCII", "a".repeat(4000), 900, 1400],
    ["emoji", "🔥".repeat(1000), 1000, 2100],
    ["Cyrillic", "завтра".repeat(100), 200, 600],
  ])("counts %s", (_name, text, least, most) => {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(least);
    expect(estimateTokens(text)).toBeLessThanOrEqual(most);
  });

  test("is zero for nothing and at least one for something", () => {
    expect(estimateTokens("")).toBe(0);
    expect(estimateTokens("a")).toBe(1);
  });

  test("never shrinks when text is added", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
        const sum = estimateTokens(a) + estimateTokens(b);
        expect(estimateTokens(a + b)).toBeGreaterThanOrEqual(estimateTokens(a));
        expect(estimateTokens(a + b)).toBeLessThanOrEqual(sum + 1);
      }),
    );
  });

  test("counts a megabyte as the sum of its parts", () => {
    const unit = "abc 明天 🔥 é ";
    const whole = estimateTokens(unit.repeat(80_000));
    expect(whole / 80_000).toBeCloseTo(estimateTokens(unit.repeat(8)) / 8, 0);
  });
});

describe("estimateMessageTokens", () => {
  test("counts every part of every role", () => {
    const messages: ModelMessage[] = [
      { role: "user", content: [{ type: "text", text: "x".repeat(400) }] },
      {
        role: "assistant",
        content: [
          { type: "thinking", text: "y".repeat(400), provider: "p" },
          { type: "tool-call", id: "c1", name: "read", arguments: "z".repeat(400) },
        ],
      },
      {
        role: "tool",
        results: [{ callId: "c1", name: "read", text: "w".repeat(400), isError: false }],
      },
    ];
    const [user, assistant, tool] = messages.map(estimateMessageTokens);
    expect(user).toBeGreaterThan(100);
    expect(assistant).toBeGreaterThan(200);
    expect(tool).toBeGreaterThan(100);
  });

  test("gives a picture a flat price", () => {
    const picture: ModelMessage = {
      role: "user",
      content: [{ type: "image", mediaKey: "m", mimeType: "image/png", name: "a.png" }],
    };
    expect(estimateMessageTokens(picture)).toBeGreaterThan(1000);
  });
});
