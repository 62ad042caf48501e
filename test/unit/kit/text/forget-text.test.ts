import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createForgetter, FORGOTTEN, sentenceSpans } from "#kit/text/forget-text.ts";

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

  test("takes out a short sentence that is a fact, and leaves those that only hold its words", () => {
    const short = createForgetter(["I am ill.", "Blue"]);
    expect(short.forget("Hello there. I am ill. How are you?")).toBe(
      `Hello there. ${FORGOTTEN} How are you?`,
    );
    expect(short.forget("Which colour? Blue! Bye.")).toBe(`Which colour? ${FORGOTTEN} Bye.`);
    expect(short.forget('She said: hm. "Blue." Bye.')).toBe(`She said: hm. ${FORGOTTEN} Bye.`);
    expect(short.finds("The sky is blue. I am illiterate.")).toBe(false);
  });

  test("finds a letter with its accent, whichever way Unicode spells it", () => {
    const fact = "My sister lives in Zürich with Zoë";
    const said = `Hello. ${fact}. Bye.`;
    for (const form of ["NFC", "NFD"] as const) {
      expect(createForgetter([fact.normalize("NFD")]).forget(said.normalize(form))).toBe(
        `Hello. ${FORGOTTEN} Bye.`,
      );
      expect(createForgetter([fact]).forget(said.normalize(form))).toBe(`Hello. ${FORGOTTEN} Bye.`);
    }
    expect(createForgetter(["My sister is Zoe"]).finds("My sister is Zoë.".normalize("NFD"))).toBe(
      false,
    );
  });

  test.each([
    [
      "My passport number is [number removed] and it expires in May.",
      "Hi. My passport number is X12345678 and it expires in May. Bye.",
    ],
    [
      "My IBAN is [number removed] at the Blue Whale bank",
      "Hi. My IBAN is DE89 3704 0044 0532 0130 00 at the Blue Whale bank. Bye.",
    ],
    ["The key of the lamp is [redacted]", "Hi. The key of the lamp is sk-ant-abc123def456. Bye."],
  ])("takes what stands behind a mark: %s", (fact, said) => {
    expect(createForgetter([fact]).forget(said)).toBe(`Hi. ${FORGOTTEN} Bye.`);
  });

  test("takes a masked form of a fact with a number, but not another number", () => {
    const { forget: without } = createForgetter([
      "My IBAN is DE89370400440532013000 at the Blue Whale bank",
    ]);
    const of = (number: string) => `My IBAN is ${number} at the Blue Whale bank.`;
    expect(without(of("[number removed]"))).toBe(FORGOTTEN);
    expect(without(of("GB82WEST12345698765432"))).toBe(of("GB82WEST12345698765432"));
  });

  test.each([
    ["My tag is <! -- blue -- > and sweet.", "My tag is <!-- blue --> and sweet."],
    ["My gate code is blue seven", "My gate\u0000 code\u0085is blue seven."],
    ["My boat is called Ada", "My boat is called **Ada**."],
    ["My boat is called _Ada_", "My *boat* is called `Ada`."],
    ["Ida & Max live in **Bergen**", "Ida &amp; Max live in <b>Bergen</b>."],
    ["My boat is called [Ada]", 'My boat is <a href="https://harbour.example">called</a> [Ada].'],
    ["My boat is [Ada](https://harbour.example)", "My boat is <https://harbour.example|Ada>."],
    [
      "My boat is at https://harbour.example/ada now",
      "My boat is at <https://harbour.example/ada> now.",
    ],
    ["I prefer a < b as a name", "I prefer a &lt; b as a <i>name</i>."],
    ["My boat is called Ada", "As you say <my boat is called Ada>."],
    ["My boat is called „Ada“ now", 'My boat is called "Ada" now.'],
    [`My ${"very ".repeat(200)}long st…`, `My ${"very ".repeat(200)}long story.`],
  ])("finds what the memory or a model writes otherwise: %j", (fact, said) => {
    expect(createForgetter([fact]).forget(`Hi. ${said} Bye.`)).toBe(`Hi. ${FORGOTTEN} Bye.`);
  });

  test.each([
    ["My rate is 12", "My rate is 12.5 per cent."],
    ["My rate is 12", "My rate is 12,000 euros."],
    ["The gate opens at 8", "The gate opens at 8:30 on Mondays."],
    ["5 May is my birthday", "My sister said 1.5 May is my birthday."],
    ["I live in Porto", "I live in Porto-Novo now."],
    ["Smokers annoy me", "Non-smokers annoy me."],
    ["I mostly write C", "I mostly write C++ and Rust."],
  ])("leaves what only begins with the same words: %j", (fact, said) => {
    expect(createForgetter([fact]).forget(said)).toBe(said);
    expect(createForgetter([fact]).forget(`${fact}. ${said}`)).toBe(`${FORGOTTEN} ${said}`);
  });

  test.each(["_", "a_", "*", "-", "1.", "<!", "<a", "<a ", "<", "["])(
    "is not held up by a long run of %j",
    (unit) => {
      const run = `x${unit.repeat(500_000)}x`;
      expect(createForgetter(["My boat is called Ada"]).forget(run)).toBe(run);
    },
  );

  test("a fact may be of any length, and so may a text", () => {
    const fact = "then they went on to the next village by boat, ".repeat(700);
    const long = createForgetter([fact, "my dog is called Rex"]);
    expect(long.forget(`Hm. ${fact}. Bye.`)).toBe(`Hm. ${FORGOTTEN} Bye.`);
    expect(long.forget(`Hm. My dog is called Rex ${"and so on ".repeat(50_000)}.`)).toBe(
      `Hm. ${FORGOTTEN}`,
    );
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
        const spans = sentenceSpans(text);
        const said = spans.map(([from, to]) => text.slice(from, to)).join("");
        expect(said.replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""));
      }),
    );
  });
});
