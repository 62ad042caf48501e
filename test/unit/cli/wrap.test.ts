import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createWrap } from "#cli/wrap.ts";

/** Answers at the terminal's width, however they are cut on their way. */
function wrapped(text: string, columns: number | undefined, size = 3): string {
  const wrap = createWrap(() => columns);
  let out = "";
  for (let at = 0; at < text.length; at += size) out += wrap.push(text.slice(at, at + size));
  return out + wrap.end();
}

describe("a long line", () => {
  test.each([
    ["one two three four five six", "one two three four\nfive six"],
    ["- one two three four five", "- one two three four\n  five"],
    ["12. one two three four five", "12. one two three\n    four five"],
    ["  one two three four five", "  one two three four\n  five"],
    ["one\n\ntwo three  \nfour", "one\n\ntwo three  \nfour"],
    ["一二三四五六七八九十一二", "一二三四五六七八九十\n一二"],
    [
      `see https://a.example/${"x".repeat(20)} now`,
      `see\nhttps://a.example/${"x".repeat(20)}\nnow`,
    ],
  ])("%j", (text, expected) => {
    expect(wrapped(text, 20)).toBe(expected);
  });

  test("of code is left as it is, to be copied", () => {
    const code = "```sh\necho one two three four five six\n```";
    expect(wrapped(`${code}\none two three four five`, 20)).toBe(
      `${code}\none two three four\nfive`,
    );
  });

  test("passes as it is where there is no terminal, or hardly one", () => {
    const text = "one two three four five six";
    expect(wrapped(text, undefined)).toBe(text);
    expect(wrapped(text, 5)).toBe(text);
  });
});

describe("a line that is interrupted", () => {
  function interrupted(before: string, after: string): string {
    const wrap = createWrap(() => 20);
    const shown = wrap.push(before);
    wrap.interrupted();
    return `${shown}|${wrap.push(after)}${wrap.end()}`;
  }

  test.each([
    ["goes on without a blank", "one two ", "three four five six", "one two|three four five six"],
    ["keeps a half word whole", "one two thr", "ee four", "one two|three four"],
    ["goes on under its list item", "- one two ", "three four five", "- one two|  three four five"],
    ["ends where it was interrupted", "one\ntwo three ", "\nfour", "one\ntwo three|four"],
    ["leaves no empty row at its end", "一二", "\n一", "一二|一"],
    ["keeps the empty row of a paragraph", "一二", "\n\n一", "一二|\n一"],
    [
      "makes no list item of a dash in it",
      "one two ",
      "- three four five six",
      "one two|- three four five\nsix",
    ],
    ["has not begun yet", "one\n", "  two", "one\n|  two"],
    [
      "of code goes on as code",
      "```\nif x ",
      "  y\n```\none two three four five",
      "```\nif x|   y\n```\none two three four\nfive",
    ],
  ])("%s", (_, before, after, expected) => {
    expect(interrupted(before, after)).toBe(expected);
  });
});

test("nothing is lost but spaces, nothing is too wide, and pieces make no difference", () => {
  const word = fc.stringMatching(/^[a-z]{1,12}$/);
  const text = fc
    .array(fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(" ")))
    .map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(
      text,
      fc.integer({ min: 20, max: 60 }),
      fc.integer({ min: 1, max: 9 }),
      (...run) => {
        const [sample, columns, size] = run;
        const out = wrapped(sample, columns, size);
        expect(out.replaceAll(/\s/g, "")).toBe(sample.replaceAll(/\s/g, ""));
        expect(out.split("\n").filter((line) => line.length > columns)).toEqual([]);
        expect(out).toBe(wrapped(sample, columns, sample.length || 1));
      },
    ),
  );
});
