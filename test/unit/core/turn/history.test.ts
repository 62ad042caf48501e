import { describe, expect, it } from "vitest";
import { historyBudget, type RequestFrame } from "#core/turn/history.ts";

function frame(contextWindow: number, maxOutputTokens = 8_192): RequestFrame {
  const info = {
    id: "m",
    contextWindow,
    maxOutputTokens,
    thinkingLevels: ["off" as const],
    images: false,
  };
  return { system: [], schemas: [], info, maxOutputTokens };
}

describe("historyBudget", () => {
  it("is what is configured where the window is large", () => {
    expect(historyBudget(32_000, frame(200_000))).toBe(32_000);
  });

  it("leaves room for the answer where the window is small", () => {
    expect(historyBudget(100_000, frame(32_000))).toBeLessThanOrEqual((32_000 - 16_384) / 1.2);
  });

  it("leaves something even of a tiny window", () => {
    expect(historyBudget(32_000, frame(8_000))).toBeGreaterThan(3_000);
  });

  it("counts what stands in front", () => {
    const text = "word ".repeat(40_000);
    const heavy = { ...frame(60_000), system: [{ text, cacheBoundary: true }] };
    expect(historyBudget(32_000, heavy)).toBe(0);
  });
});
