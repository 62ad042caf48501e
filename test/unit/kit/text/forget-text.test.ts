import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createForgetter, FORGOTTEN, sentencesOf } from "#kit/text/forget-text.ts";

const { forget, finds } = createForgetter(["Ada's dog is called Bit.", "我住在北京", "blue"]);

describe("forgetting in running text", () => {
  test.each([
    ["the fact alone", "Ada's dog is called Bit", FORGOTTEN],
    [
      "the sentence around it",
      "Hi! Remember that Ada's dog is called Bit, please. Bye.",
      `Hi! ${FORGOTTEN} Bye.`,
    ],
    ["other spaces, case and quotation marks", "ada’s  dog\nis called BIT!", `${FORGOTTEN}`],
    [
      "Chinese, where nothing sets words apart",
      "你好。其实我住在北京很久了。再见。",
      `你好。${FORGOTTEN}再见。`,
    ],
    [
      "twice in a row as one",
      "Ada's dog is called Bit. Ada's dog is called Bit. Ok",
      `${FORGOTTEN} Ok`,
    ],
    ["a single word only where it is all there is", "Blue.", FORGOTTEN],
  ])("takes out %s", (_what, text, expected) => {
    expect(finds(text)).toBe(true);
    expect(forget(text)).toBe(expected);
  });

  test.each([
    "Ada's dog is called Bitsy",
    "The sky is blue",
    "Ada's cat is called Bit",
    "Version 1.2 of a.b is out",
  ])("leaves %s", (text) => {
    expect(finds(text)).toBe(false);
    expect(forget(text)).toBe(text);
  });

  test("whatever stands around it, the fact is gone afterwards and nothing is left of its sentence", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.string({ unit: "grapheme" }),
        (before, after) => {
          const text = `${before} ada's dog is called bit ${after}`;
          expect(forget(text).toLowerCase()).not.toContain("dog is called bit");
          expect(forget(forget(text))).toBe(forget(text));
        },
      ),
    );
  });

  test("sentences are parts of the text, in order, and hold all of its words", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const spans = sentencesOf(text);
        const said = spans.map(([from, to]) => text.slice(from, to)).join("");
        expect(said.replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
      }),
    );
  });
});
