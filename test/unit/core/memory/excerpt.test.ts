import { expect, test } from "vitest";
import { excerpt } from "#core/memory/excerpt.ts";

const filler = Array.from({ length: 40 }, (_, n) => `- line ${n} tells of gardens and rain`);

test("what is short is shown whole", () => {
  expect(excerpt("- one\n- two", "two", 20)).toBe("- one\n- two");
});

test("the line that was found is shown, wherever it stands", () => {
  for (const at of [0, 1, 20, 38, 39, 40]) {
    const lines = filler.toSpliced(at, 0, "- the boats are in Delft");
    const shown = excerpt(lines.join("\n"), "where is my boat?", 200);
    expect(shown).toContain("- the boats are in Delft");
    expect(shown.length).toBeLessThanOrEqual(202);
    expect(shown.startsWith("…")).toBe(!shown.startsWith(lines[0]!));
    expect(shown.endsWith("…")).toBe(!shown.endsWith(lines.at(-1)!));
    for (const line of shown.replaceAll("…", "").split("\n")) expect(lines).toContain(line);
    expect(shown.split("\n").length).toBeGreaterThan(3);
  }
});

test("in a script without spaces too", () => {
  const lines = [...filler.slice(0, 20), "- 我对花生过敏", ...filler.slice(20)];
  expect(excerpt(lines.join("\n"), "花生", 120)).toContain("- 我对花生过敏");
});

test("a line that is too long is cut, and no character with it", () => {
  const shown = excerpt(`- first\n- boat ${"👩‍👩‍👧".repeat(100)}`, "boat", 60);
  expect(shown).toMatch(/^…- boat (?:👩‍👩‍👧)+…$/u);
});

test("without any of its words the beginning is shown", () => {
  expect(excerpt(filler.join("\n"), "zebra", 100).startsWith("- line 0 ")).toBe(true);
});
