import { expect, test } from "vitest";
import { createForgetter } from "#kit/text/forget-text.ts";
import { forgetInValue } from "#kit/text/forget-value.ts";

const { forget } = createForgetter(["my bike is red"]);

test("texts are changed wherever they stand, also in the arguments of a call", () => {
  const entry = {
    content: [
      { type: "text", text: "Noted: my bike is red." },
      { type: "tool-call", id: "c1", arguments: '{"text":"my bike is red","target":"note"}' },
    ],
    author: { name: "Ada" },
  };
  expect(forgetInValue(entry, forget)).toEqual({
    content: [
      { type: "text", text: "[forgotten]" },
      { type: "tool-call", id: "c1", arguments: '{"text":"[forgotten]","target":"note"}' },
    ],
    author: { name: "Ada" },
  });
});

test("signed thinking is left out as a whole, since it cannot be changed", () => {
  const thinking = { type: "thinking", text: "my bike is red", signature: "s", provider: "p" };
  expect(forgetInValue([thinking, { type: "text", text: "ok" }], forget)).toEqual([
    { type: "text", text: "ok" },
  ]);
  expect(forgetInValue([thinking], forget)).toEqual([{ type: "text", text: "[forgotten]" }]);
});

test("what does not say it is the very same value", () => {
  const entry = { content: [{ type: "thinking", text: "hm", signature: "s" }], n: [1, null, true] };
  expect(forgetInValue(entry, forget)).toBe(entry);
});

test("a fact that is a single word does not take away what a part is", () => {
  const { forget: short } = createForgetter(["text", "user"]);
  const entry = { role: "user", content: [{ type: "text", text: "Which? Text. Bye." }] };
  expect(forgetInValue(entry, short)).toEqual({
    role: "user",
    content: [{ type: "text", text: "Which? [forgotten] Bye." }],
  });
});
