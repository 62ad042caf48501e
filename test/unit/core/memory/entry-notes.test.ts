import { describe, expect, test } from "vitest";
import { noNotes, noProject, readNotes, stripNotes } from "#core/memory/entry-notes.ts";

describe("importance", () => {
  test.each([
    ["<!-- importance: 7 -->", 7],
    ["<!-- importance: 3 --> <!-- importance: 9 -->", 9],
    ["<!-- importance: 3 --> <!-- importance: 11 -->", 3],
    ["<!-- importance: 0 -->", null],
    ["<!-- importance: 7.5 -->", null],
    ["<!-- importance: very -->", null],
    ["importance: 7", null],
  ])("of %j is %j", (text, expected) => {
    expect(readNotes(text).importance).toBe(expected);
  });
});

test("triggers are parted by commas and semicolons, each once", () => {
  expect(readNotes("x <!-- trigger: dentist, bad teeth; dentist ；牙医 -->").triggers).toEqual([
    "dentist",
    "bad teeth",
    "牙医",
  ]);
});

test("a project that cannot be read is one that nothing has, not none at all", () => {
  expect(readNotes("<!-- project: github.com/ada/Boat -->").projects).toEqual([
    "github.com/ada/boat",
  ]);
  expect(readNotes("<!-- project: ../.. -->").projects).toEqual([noProject]);
  expect(readNotes("<!-- project: -->").projects).toEqual([noProject]);
});

test("one note may have several fields", () => {
  const notes = readNotes("Likes tea <!-- observed: 2026-05-03 | status: Superseded -->");
  expect(notes).toMatchObject({ observed: "2026-05-03", status: "superseded" });
});

test("the anchor and the key that dreaming writes are read back", () => {
  const notes = readNotes("Likes tea <!-- from: memory/2026-05-03.md#a1b2 --> <!-- key: Drink -->");
  expect(notes).toMatchObject({ from: "memory/2026-05-03.md#a1b2", key: "drink" });
});

test("what is left of a text is what a person reads", () => {
  expect(stripNotes("a <!-- key: x --> b <!-- importance: 3 -->\nc")).toBe("a b\nc");
  expect(stripNotes("keep <!-- this -->")).toBe("keep <!-- this -->");
  expect(readNotes("keep <!-- this -->")).toBe(noNotes);
});

test("a note does not reach into the next line", () => {
  expect(stripNotes("a <!-- key: x\nb -->")).toBe("a <!-- key: x\nb -->");
});

test("no text makes the search for notes slow", () => {
  stripNotes(`${" ".repeat(2_000_000)}<!--`);
  stripNotes("<!-- key: ".repeat(200_000));
});
