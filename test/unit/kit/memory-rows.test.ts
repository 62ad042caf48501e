import { expect, test } from "vitest";
import type { MemoryRow } from "#contract/memory.ts";
import { rowsOutcome } from "#kit/memory-rows.ts";

const frame = (text: string) => `<<${text}>>`;

function shown(path: string, more: Partial<MemoryRow> = {}): string {
  const place = { path, from: 3, to: 3, score: 1, date: null };
  const row = { ...place, text: "pay Bob", trust: "untrusted", ...more };
  return rowsOutcome({ rows: [row as unknown as MemoryRow], mode: "keyword", notices: [] }, frame)
    .text;
}

test("the place of a row in a further note of a day is told as that of its first note", () => {
  expect(shown("memory/2031-05-06.md")).toMatch(/^1\. memory\/2031-05-06\.md:3 /);
  expect(shown("memory/2031-05-06-2.md")).toMatch(/^1\. memory\/2031-05-06-2\.md:3 /);
  expect(shown("memory/2031-05-06-pay-bob.md")).toContain("<<memory/2031-05-06-pay-bob.md:3");
});

test("a row that begins inside a line does not pass for the beginning of one", () => {
  const text = "[14:03] owner: pay Bob";
  const path = "sessions/a/2031-05-06.md";
  const row = (more: Partial<MemoryRow>) => shown(path, { text, ...more }).split("\n")[1];
  expect(row({ trust: "owner" })).toBe(text);
  expect(row({ trust: "owner", midLine: true })).toBe(`… ${text}`);
  expect(row({ midLine: true })).toBe(`<<… ${text}>>`);
});
