import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bigramsOf, foldedWords, foldText, isUnspaced, wordsOf } from "#kit/text/words.ts";

describe("words as they are spelled", () => {
  test.each([
    ["Eva’s café is CLOSED.", ["eva's", "café", "is", "closed"]],
    ["Ｒｏｏｍ １２, nas-07", ["room", "12", "nas", "07"]],
    ["I don't, don't I?", ["i", "don't", "don't", "i"]],
    ["住在北京 ok", ["住在北京", "ok"]],
    ["… —", []],
  ])("of %j are %j", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });
});

describe("words as a reader takes them", () => {
  test.each([
    ["Eva’s CAFÉ is closed.", ["eva's", "cafe", "is", "closed"]],
    ["Ｒｏｏｍ １２, nas-07", ["room", "12", "nas", "07"]],
    ["Straße, Łódź", ["straße", "łodz"]],
    ["… —", []],
  ])("of %j are %j", (text, words) => {
    expect(foldedWords(text)).toEqual(words);
  });

  test("are cut where a script sets no spaces", () => {
    expect(foldedWords("我住在北京").length).toBeGreaterThan(1);
    expect(foldedWords("我住在北京").join("")).toBe("我住在北京");
  });

  test("are the same for a text that is folded already", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(foldedWords(foldText(text))).toEqual(foldedWords(text));
      }),
    );
  });
});

test.each([
  ["北京", true],
  ["한국어", true],
  ["กาแฟ", true],
  ["Eva 京", true],
  ["Москва", false],
  ["", false],
])("is %j written without spaces: %s", (text, unspaced) => {
  expect(isUnspaced(text)).toBe(unspaced);
});

test.each([
  ["東京タワー", ["東京", "京タ", "タワ", "ワー"]],
  ["茶", ["茶"]],
  ["𠮷野家", ["𠮷野", "野家"]],
  ["", []],
])("the bigrams of %j are %j", (run, bigrams) => {
  expect(bigramsOf(run)).toEqual(bigrams);
});
