import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MAX_FILE_BYTES, type WorkspaceChange } from "#contract/workspace.ts";
import { applyChange, looksApplied } from "#core/workspace/apply-change.ts";

const file = (text: string) => ({ text, etag: "e1" });

function text(current: string | null, change: WorkspaceChange): string {
  const result = applyChange(current === null ? null : file(current), change);
  return result.ok ? result.value : `ERROR ${result.error}`;
}

describe("append", () => {
  test.each([
    [null, "first", "first\n"],
    ["a\n", "b", "a\nb\n"],
    ["a", "b\n", "a\nb\n"],
    ["a\n", "", "a\n"],
    ["", "b", "b\n"],
  ])("to %j of %j gives %j", (current, added, expected) => {
    expect(text(current, { type: "append", text: added })).toBe(expected);
  });

  test("keeps every line of any texts, in order, and damages none", () => {
    const line = fc
      .string({ minLength: 1, unit: "grapheme" })
      .filter((each) => !/[\r\n]/.test(each));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), (lines) => {
        const all = lines.reduce<string | null>((now, added) => {
          return text(now, { type: "append", text: added });
        }, null);
        expect(all?.split("\n")).toEqual([...lines, ""]);
      }),
    );
  });
});

describe("replace", () => {
  const replace = (oldText: string, newText: string, all = false): WorkspaceChange => {
    return { type: "replace", oldText, newText, all };
  };

  test("changes the one place", () => {
    expect(text("tea, milk, salt", replace("milk", "oat milk"))).toBe("tea, oat milk, salt");
  });

  test("takes replacement patterns as plain text", () => {
    expect(text("price: X", replace("X", "$& $1 $$"))).toBe("price: $& $1 $$");
  });

  test.each([
    ["not there", replace("cocoa", "x"), /not in the file/],
    ["there twice", replace("tea", "b"), /2 times/],
    ["empty", replace("", "b"), /empty/],
  ])("refuses an old text that is %s", (_name, change, reason) => {
    expect(text("tea and tea", change)).toMatch(reason);
  });

  test("changes all places when asked to", () => {
    expect(text("a and a", replace("a", "b", true))).toBe("b bnd b");
  });

  test("counts what many replacements would make of a text before it makes them", () => {
    const doubled = "ü".repeat(MAX_FILE_BYTES / 4);
    const change = replace("ü", "üü", true);
    expect(text(doubled, change)).toBe(doubled + doubled);
    expect(text(`${doubled}ü`, change)).toMatch(/1048580 bytes/);
    expect(text("a".repeat(1_000_000), replace("a", "b".repeat(1_000_000), true))).toMatch(
      /1000000000000 bytes/,
    );
  });

  test("refuses when there is no file", () => {
    expect(text(null, replace("a", "b"))).toMatch(/no such file/);
  });

  test("finds lines written with \\n in a file with \\r\\n, and keeps its endings", () => {
    expect(text("a\r\nb\r\nc\r\n", replace("a\nb", "x\ny"))).toBe("x\r\ny\r\nc\r\n");
  });

  test("is undone by its reverse, whatever the texts", () => {
    const part = fc.string({ minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(part, part, part, (before, word, after) => {
        const fresh = `⟦${word}⟧`;
        const original = `${before}${word}${after}`;
        fc.pre(
          original.split(word).length === 2 && !original.includes("⟦") && !/\r/.test(original),
        );
        const there = text(original, replace(word, fresh));
        expect(text(there, replace(fresh, word))).toBe(original);
      }),
    );
  });
});

describe("write", () => {
  test.each([
    ["always", "old", undefined, "new"],
    ["always, without a file", null, undefined, "new"],
    ["if absent", null, null, "new"],
    ["if unchanged", "old", "e1", "new"],
    ["if absent, though there is one", "old", null, "ERROR The file exists already."],
    ["if unchanged, though it changed", "old", "e0", expect.stringMatching(/Read it again/)],
    ["if unchanged, though it is gone", null, "e1", expect.stringMatching(/Read it again/)],
  ])("%s", (_name, current, ifEtag, expected) => {
    const guard = ifEtag === undefined ? {} : { ifEtag };
    expect(text(current, { type: "write", text: "new", ...guard })).toEqual(expected);
  });

  test("refuses a guard on a version that is only in the log", () => {
    const current = { text: "old", etag: null };
    const byEtag = applyChange(current, { type: "write", text: "new", ifEtag: "e1" });
    const ifAbsent = applyChange(current, { type: "write", text: "new", ifEtag: null });
    expect([byEtag.ok, ifAbsent.ok]).toEqual([false, false]);
  });
});

test("refuses what would make a file too large, counted in bytes", () => {
  const half = "ü".repeat(MAX_FILE_BYTES / 4);
  expect(applyChange(file(half), { type: "append", text: half }).ok).toBe(false);
  expect(applyChange(file(""), { type: "write", text: half + half }).ok).toBe(true);
  expect(applyChange(null, { type: "write", text: `${half}${half}x` }).ok).toBe(false);
});

test.each<[string, WorkspaceChange, boolean]>([
  ["a\nfresh line\nb\n", { type: "append", text: "fresh line\n" }, true],
  ["a\nb\n", { type: "append", text: "fresh line" }, false],
  ["whole", { type: "write", text: "whole" }, true],
  ["whole plus", { type: "write", text: "whole" }, false],
  ["new here", { type: "replace", oldText: "old", newText: "new", all: false }, true],
  ["old and new", { type: "replace", oldText: "old", newText: "new", all: false }, false],
])("sees in %j whether a change was made to it", (now, change, expected) => {
  expect(looksApplied(now, change)).toBe(expected);
});
