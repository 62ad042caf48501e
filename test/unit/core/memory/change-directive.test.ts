import { expect, test } from "vitest";
import { changeDirective } from "#core/memory/change-directive.ts";
import { applyChange } from "#core/workspace/apply-change.ts";
import user from "#core/workspace/templates/USER.md";

const day = { at: Date.parse("2026-05-04T12:00:00Z"), timeZone: "UTC" };
const note = "<!-- observed: 2026-05-04 | status: active -->";

function changed(file: string, text: string, replaces?: string): string {
  const change = changeDirective(file, { text, replaces }, day);
  if (!change.ok) return `error: ${change.error}`;
  if (change.value === null) return file;
  const next = applyChange({ text: file, etag: null }, change.value);
  return next.ok ? next.value : `refused: ${next.error}`;
}

test("a directive comes to the others, with the day it was observed", () => {
  expect(changed(user, "Answer in German.")).toBe(`${user}- Answer in German. ${note}\n`);
});

test("where something stands behind the directives, it goes before that", () => {
  const file = "## Directives\n- Be brief.\n\n## Other\n- x y\n";
  expect(changed(file, "Use metric units.")).toBe(
    `## Directives\n- Use metric units. ${note}\n- Be brief.\n\n## Other\n- x y\n`,
  );
});

// B54
test("the same directive twice leaves one", () => {
  const once = changed(user, "Answer in German.");
  expect(changed(once, "answer in German")).toBe(once);
});

test("a changed one takes the place of the old one", () => {
  const file = `a\n- Answer in English. <!-- observed: 2026-01-01 | status: active -->\nb\n`;
  expect(changed(file, "Answer in German.", "answer in english")).toBe(
    `a\n- Answer in German. ${note}\nb\n`,
  );
});

test("what it takes the place of must be there, once", () => {
  const file = "- Answer in English.\n- Write English dates.\n";
  expect(changed(file, "x", "French")).toContain('no line that says "French"');
  expect(changed(file, "x", "English")).toContain("Several lines");
  expect(changed(user, "x", "English")).toContain("no directives yet");
});

test("a line of comments that nobody closes is gone through once", () => {
  const open = `- ${"<!-- ".repeat(200_000)}x`;
  expect(changed(`${open}\n`, "Answer in German.")).toContain("- Answer in German. <!--");
});
