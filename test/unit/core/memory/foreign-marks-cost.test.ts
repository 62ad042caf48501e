import fc from "fast-check";
import { expect, test } from "vitest";
import { firstForeignMark, markOfALine } from "#core/memory/foreign-marks.ts";

/** Pasted texts of any form are gone through in no time: what is too slow here runs into the test's limit. */
const LENGTH = 100_000;

test("a line that begins like the mark of a passed-on mail and goes on with dashes costs little", () => {
  const line = `${"-".repeat(40)}${"a".repeat(30)}${"-".repeat(LENGTH)}`;
  const texts = [`${line}x`, `${line}${" ".repeat(LENGTH)}x`, `${line}\n`.repeat(3)];
  expect(texts.map(firstForeignMark)).toEqual([0, 0, 0]);
});

test.each([
  ["--- Forwarded ---", 0],
  ["a\n  == b ==  \nc", 2],
  [`--${".".repeat(40)}a${".".repeat(40)}--`, 0],
  [`--${".".repeat(41)}a${".".repeat(40)}--`, -1],
  [`--${".".repeat(40)}a${".".repeat(41)}--`, -1],
  [`${"-".repeat(9)} ${".".repeat(39)}a${".".repeat(39)} ${"-".repeat(9)}`, 0],
  ["--- Forwarded --- by me", -1],
  ["-- a -", -1],
])("a line between dashes is such a mark if a word stands in the middle: %j", (text, at) => {
  expect(firstForeignMark(text)).toBe(at);
});

/** What the marks are made of, so that long runs of it come near to one. */
const parts: readonly string[] = [
  Array.from("-–—_=*>«»<@:：[({,.!?…。'\n\t aAéБ王張한ア1"),
  ["--", "a-", "- ", "A ", "A. ", ": ", "> ", "&gt;", "\n ", "\n--a", "<a@", "a@a>", "1. ", "10"],
  ["14:03", "14:03 ", "[14:03", "1/1/31", "1/1/31, ", "1/1/31 14:03 ", " am", "Today at ", " — "],
  ["De", "De: ", " A: ", "De: a ", "From", "Van", "Subject", "system", "Fwd", "forwarded "],
  ["Bob", "Bob ", "Bob: ", "Bob, ", "@bob", "@bob: ", "Hi", "I ", "Note", "message d'", "[quote"],
  ["王小", "さん", "你好", "철수", "안녕", "이름", "</", "<q", "BEGIN:"],
].flat();

test("runs of whatever marks are made of cost little, in any order", () => {
  const run = fc.tuple(
    fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 3 }),
    fc.constantFrom(1, 2, 20, 40, LENGTH / 4),
  );
  const runs = fc.array(run, { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(runs, fc.constantFrom("", "x", "\n", "1"), (some, end) => {
      const text = some.map(([each, count]) => each.join("").repeat(count)).join("") + end;
      const cut = text.slice(0, LENGTH);
      expect(firstForeignMark(cut)).toBeLessThan(LENGTH);
      expect(markOfALine(cut)).toBeLessThan(LENGTH);
    }),
    { numRuns: 60 },
  );
});
