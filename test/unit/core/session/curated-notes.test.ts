import { expect, test } from "vitest";
import { curatedNotes } from "#core/session/curated-notes.ts";

const path = "MEMORY.md";

test("/context tells how many lines of a curated file are kept from the model", () => {
  expect(curatedNotes({ path, text: "- a", leftOut: 1 }).join()).toMatch(/MEMORY\.md: one line/);
  expect(curatedNotes({ path, text: "", leftOut: 3 }).join()).toMatch(/MEMORY\.md: 3 lines/);
});

test("/context tells of a curated file that nothing is in, and nothing of a whole one", () => {
  expect(curatedNotes({ path, text: "" }).join()).toMatch(/MEMORY\.md: nothing/);
  expect(curatedNotes({ path, text: "- a" })).toEqual([]);
});
