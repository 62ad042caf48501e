import fc from "fast-check";
import { expect, test } from "vitest";
import { windowOn } from "#cli/line-window.ts";
import { widthOf } from "#cli/wrap.ts";

test("shows a whole line that fits, and of a longer one the part before the cursor", () => {
  expect(windowOn("short", 2, 10)).toEqual({ text: "short", column: 2 });
  expect(windowOn("0123456789abc", 13, 10)).toEqual({ text: "3456789abc", column: 10 });
  expect(windowOn("0123456789abc", 0, 10)).toEqual({ text: "0123456789", column: 0 });
  expect(windowOn("0123456789abc", 11, 10)).toEqual({ text: "123456789a", column: 10 });
});

test("cuts no letter of two columns in half", () => {
  expect(windowOn("a日本語", 4, 5)).toEqual({ text: "本語", column: 4 });
  expect(windowOn("日本語", 0, 5)).toEqual({ text: "日本", column: 0 });
});

test("fits into the row and holds the cursor, whatever is typed", () => {
  const line = fc.string({ unit: "grapheme", maxLength: 60 });
  const cut = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(line, cut, fc.integer({ min: -3, max: 40 }), (text, share, width) => {
      const shown = windowOn(text, Math.round(share * text.length), width);
      expect(shown.column).toBeLessThanOrEqual(widthOf(shown.text));
      expect(widthOf(shown.text)).toBeLessThanOrEqual(Math.max(0, width));
      expect(shown.text).not.toMatch(/[\u0000-\u001f\u007f]/);
    }),
  );
});
