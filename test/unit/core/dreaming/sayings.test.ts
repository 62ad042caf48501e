import { expect, test } from "vitest";
import { sayingsOf } from "#core/dreaming/sayings.ts";

test.each([
  [
    "Please remember that my dog is called Bit.",
    ["Please remember that my dog is called Bit.", "my dog is called Bit."],
  ],
  ["Owner: my dog is called Bit.", ["Owner: my dog is called Bit.", "my dog is called Bit."]],
  ["记住我对花生过敏", ["记住我对花生过敏", "我对花生过敏"]],
  ["my dog is called Bit", ["my dog is called Bit"]],
])("%s is also found as nights say it", (fact, sayings) => {
  expect(sayingsOf(fact)).toEqual(sayings);
});

test.each(["remember that", "Owner: ok", "Owner: tea"])(
  "%s has no shorter form to look for",
  (fact) => {
    expect(sayingsOf(fact)).toEqual([fact]);
  },
);
