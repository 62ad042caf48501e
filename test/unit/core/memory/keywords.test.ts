import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { firstWords, indexWords, lastWords, queryTerms, wordCount } from "#core/memory/keywords.ts";

describe("the terms of a question", () => {
  test.each([
    ["What is the name of my dog?", ["name", "dog"]],
    ["nas-07", ["nas 07", "nas", "07"]],
    ["don't unplug", ["unplug"]],
    ["Ada's boat", ["ada", "boat"]],
    ['"unclosed', ["unclosed"]],
    ["col:val", ["col val", "col", "val"]],
    ["北京", ["北京"]],
    ["茶", ["茶"]],
    ["订单A-17", ["订单", "a 17", "17"]],
    ["東京タワー", ["東京", "京タ", "タワ", "ワー"]],
    ["한국어", ["한국", "국어"]],
    ["Ａ１７", ["a17"]],
    ["*", []],
    ["AND", []],
    ["()", []],
    ["-", []],
    ["", []],
    ["a ".repeat(10_000), []],
  ])("in %j are %j", (question, terms) => {
    expect(queryTerms(question)).toEqual(terms);
  });

  test("are segmented where a script sets no spaces", () => {
    expect(queryTerms("ฉันชอบดื่มกาแฟ").length).toBeGreaterThan(1);
    expect(indexWords("ฉันชอบดื่มกาแฟ").trim().split(" ")).toContain("กาแฟ");
  });

  test("are few, whatever the question", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 3_000 }), (question) => {
        const terms = queryTerms(question);
        expect(terms.length).toBeLessThanOrEqual(48);
        expect(new Set(terms).size).toBe(terms.length);
      }),
    );
  });
});

test("every pair and every single character of a text without spaces can be found", () => {
  expect(indexWords("住在北京 ok").split(/\s+/).filter(Boolean)).toEqual([
    "住在",
    "在北",
    "北京",
    "住",
    "在",
    "北",
    "京",
    "ok",
  ]);
});

test("two characters of such a script count as one word", () => {
  expect(wordCount("one two 北京")).toBe(3);
});

test("the first and the last words of a text are parts of it, and not more than asked for", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.nat({ max: 20 }), (text, count) => {
      const [first, last] = [firstWords(text, count), lastWords(text, count)];
      expect(text).toContain(first);
      expect(text).toContain(last);
      expect(wordCount(first)).toBeLessThanOrEqual(count);
      expect(wordCount(last)).toBeLessThanOrEqual(count);
    }),
  );
});
