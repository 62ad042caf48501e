import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maskPersonalNumbers, numberMask } from "#kit/personal-numbers.ts";

describe("is taken out", () => {
  test.each([
    [
      "a card",
      "my card is 4111 1111 1111 1111, exp 12/30",
      "my card is [number removed], exp 12/30",
    ],
    ["a card in one piece", "5500005555555559", numberMask],
    ["a card with dashes", "use 3782-822463-10005 please", "use [number removed] please"],
    ["an account", "IBAN DE89 3704 0044 0532 0130 00.", "IBAN [number removed]."],
    ["a social security number", "SSN 536-90-4399", "SSN [number removed]"],
    ["a Chinese resident id", "我的号码11010519491231002X。", "我的号码[number removed]。"],
    ["an Indian one", "2341 2341 2346", numberMask],
    ["an Italian one", "RSSMRA85T10A562S", numberMask],
    ["a Spanish one", "DNI 12345678Z", "DNI [number removed]"],
    ["what is called a passport", "passport no. C01X00T47", "passport no. [number removed]"],
    [
      "no word that follows it",
      "My passport number is X12345678 and it expires in May.",
      "My passport number is [number removed] and it expires in May.",
    ],
    [
      "what is called an id in Chinese",
      "身份证号：110105194912310021",
      "身份证号：[number removed]",
    ],
  ])("%s", (_name, text, expected) => {
    expect(maskPersonalNumbers(text)).toBe(expected);
  });
});

test.each([
  "call me at +47 22 12 34 56 or (555) 867-5309",
  "+8613812345678",
  "order 4111 1111 1111 1112 came",
  "at 1900000000000, on 2031-05-06, room 12, 3.14159265358979",
  "ada@example.org, flat 12345678",
  "my passport is in the blue bag",
  "the card game starts at 20:00",
  "版本 20310506123456 已发布",
])("stays: %s", (text) => {
  expect(maskPersonalNumbers(text)).toBe(text);
});

test("changes nothing a second time", () => {
  fc.assert(
    fc.property(fc.string(), fc.stringMatching(/^[\d -]{0,40}$/), (text, digits) => {
      const once = maskPersonalNumbers(`${text} ${digits}`);
      expect(maskPersonalNumbers(once)).toBe(once);
    }),
  );
});

test.each(["1 ", "1-", "AB12 ", "card ", "123-45-", "4"])(
  "two hundred thousand times %j are read before the test's time is up",
  (piece) => {
    maskPersonalNumbers(piece.repeat(200_000));
  },
);
