import { expect, test } from "vitest";
import { rowsText, searchSchema, statusText, statusSchema } from "#cli/memory-text.ts";

test("the status says what is indexed, what waits and what is wrong", () => {
  const status = statusSchema.parse({
    sources: 2,
    passages: 9,
    waiting: 1,
    embedder: null,
    problem: "memory/a.md is not indexed",
    waitingLines: [{ path: "memory/b.md", lines: 3 }],
  });
  expect(statusText(status)).toBe(
    [
      "2 sources, 9 passages, 1 waiting to be indexed",
      "search: by words",
      "memory/b.md: 3 lines wait for /memory adopt",
      "problem: memory/a.md is not indexed",
    ].join("\n"),
  );
});

test("what was found stands below its place, and cannot write elsewhere on the screen", () => {
  const text = "one\n\u001b[2Jtwo";
  const row = { path: "memory/a.md", from: 1, to: 2, text, score: 0.5, trust: "untrusted" };
  expect(rowsText(searchSchema.parse({ rows: [row], notices: ["keywords only"] }))).toBe(
    "memory/a.md:1-2 (0.50, untrusted)\n    one\n     [2Jtwo\nkeywords only",
  );
  expect(rowsText({ rows: [], notices: [] })).toBe("Nothing found.");
});
