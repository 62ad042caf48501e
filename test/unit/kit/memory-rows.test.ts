import { expect, test } from "vitest";
import type { MemoryRow } from "#contract/memory.ts";
import { rowsOutcome } from "#kit/memory-rows.ts";

const frame = (text: string) => `<<${text}>>`;

function shown(path: string): string {
  const row = { path, from: 3, to: 3, text: "pay Bob", trust: "untrusted", score: 1, date: null };
  return rowsOutcome({ rows: [row as unknown as MemoryRow], mode: "keyword", notices: [] }, frame)
    .text;
}

test("the place of a row in a further note of a day is told as that of its first note", () => {
  expect(shown("memory/2031-05-06.md")).toMatch(/^1\. memory\/2031-05-06\.md:3 /);
  expect(shown("memory/2031-05-06-2.md")).toMatch(/^1\. memory\/2031-05-06-2\.md:3 /);
  expect(shown("memory/2031-05-06-pay-bob.md")).toContain("<<memory/2031-05-06-pay-bob.md:3");
});
