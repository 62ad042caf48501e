import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { firstGraphemeEnd, graphemeEdge, truncateText } from "#kit/text/graphemes.ts";
import { wordArbitrary } from "#test/unit/kit/markdown/arbitrary.ts";

const family = "👨‍👩‍👧‍👦";

describe("truncateText", () => {
  it("is the longest beginning that cuts no grapheme", () => {
    const words = fc
      .array(wordArbitrary, { minLength: 1, maxLength: 10 })
      .map((all) => all.join(""));
    const property = fc.property(words, fc.integer({ min: 0, max: 60 }), (text, limit) => {
      const edges = [...new Intl.Segmenter().segment(text)].map(({ index }) => index);
      const best = [...edges, text.length].filter((edge) => edge <= limit).at(-1) ?? 0;
      const truncated = truncateText(text, limit);
      expect(truncated.length).toBeLessThanOrEqual(limit);
      expect(text.startsWith(truncated)).toBe(true);
      if (best > 0) expect(truncated.length).toBe(best);
    });
    fc.assert(property, { numRuns: 1_000 });
  });

  it("never ends in half a surrogate pair", () => {
    expect(truncateText("😀", 1)).toBe("");
    expect(truncateText(family, 3).isWellFormed()).toBe(true);
    expect(truncateText(family, 4).isWellFormed()).toBe(true);
  });

  it("leaves a text alone that has room", () => {
    expect(truncateText("abc", 3)).toBe("abc");
    expect(truncateText("abc", 0)).toBe("");
  });
});

describe("graphemeEdge", () => {
  it("keeps flags in pairs however many follow each other", () => {
    expect(graphemeEdge("🇩🇪🇫🇷🇮🇹", 6)).toBe(4);
    expect(graphemeEdge("🇩🇪🇫🇷🇮🇹", 8)).toBe(8);
  });
});

describe("firstGraphemeEnd", () => {
  it("is the length of the first cluster", () => {
    expect(firstGraphemeEnd(`${family}a`)).toBe(family.length);
    expect(firstGraphemeEnd("")).toBe(0);
  });
});
