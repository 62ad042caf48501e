import fc from "fast-check";
import { expect, test } from "vitest";
import { sentencesOf } from "#core/memory/sentences.ts";

test.each([
  ["My doctor is Dr. Alvarez, she is on Elm St. 14 near the park."],
  ["My car is a VW, reg. kept in the green folder."],
  ["I was born on 4. July 1980."],
  ["Ich bin z.B. gegen Nüsse allergisch."],
  ["Ich bin z. B. gegen Nüsse allergisch, d. h. gegen alle."],
  ["Mein Zahnarzt heißt Dr. Weiß."],
  ["I like jazz, e.g. the old records."],
  ["My teacher is J. R. Moreno."],
])("is one sentence: %s", (text) => {
  expect(sentencesOf(text)).toEqual([text]);
});

test.each([
  ["I like tea. My dog is called Bit.", 2],
  ["My code is 4711. July is hot.", 2],
  ["I work for Acme Inc. My boss is Kim.", 2],
  ["Really?! Yes… Then go.", 3],
  ["我叫安娜。我住在北京。", 2],
  ["one\ntwo", 2],
  ["I said no. Then I left", 2],
  ["No. I live in Bergen.", 2],
  ["So do I. My name is Ada.", 2],
  ["I take vitamin C. I live in Bergen.", 2],
  ["I live on Elm St. My dog is called Bit.", 2],
  ["thanks. i live in bergen. my dog is called bit", 3],
  ["I have two cats. 3 dogs, too.", 2],
])("%s: %i sentences", (text, count) => {
  expect(sentencesOf(text)).toHaveLength(count);
});

test("sentences stand in the message as they are, in order, and hold all that is no space", () => {
  const piece = fc.constantFrom(
    "Dr.",
    "a",
    "14",
    ". ",
    " ",
    "Ann",
    "!",
    "…",
    "。",
    "\n",
    "z.B.",
    "July",
    ".",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const message = pieces.join("");
      let from = 0;
      for (const sentence of sentencesOf(message)) {
        const at = message.indexOf(sentence, from);
        expect(at).toBeGreaterThanOrEqual(from);
        from = at + sentence.length;
      }
      expect(sentencesOf(message).join("").replaceAll(/\s/g, "")).toBe(
        message.replaceAll(/\s/g, ""),
      );
    }),
  );
});
