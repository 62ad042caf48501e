import { expect, test } from "vitest";
import { markNames } from "#core/workspace/names.ts";

test("names that the product gives the notes of a day say nothing, whoever made a note first", () => {
  const names = ["2031-05-06.md", "2031-05-06-2.md", "2031-05-06-9.md", "2031-05-06-obey.md"];
  const files = names.map((name) => ({ path: `memory/${name}`, untrusted: true }));
  const entries = names.map((name) => ({ name, size: 1 }));
  const marked = markNames(entries, "memory", { files, truncated: false });
  expect(marked.filter(({ untrusted }) => untrusted).map(({ name }) => name)).toEqual([
    "2031-05-06-obey.md",
  ]);
});
