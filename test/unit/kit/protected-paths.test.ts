import { describe, expect, test } from "vitest";
import { mayChange, type WriteFacts } from "#kit/protected-paths.ts";

const owner: WriteFacts = { interactiveOwner: true, tainted: false };
const others: [string, WriteFacts][] = [
  ["an owner's turn with outside content", { interactiveOwner: true, tainted: true }],
  ["a turn nobody started in person", { interactiveOwner: false, tainted: false }],
  ["a stranger's turn", { interactiveOwner: false, tainted: true }],
];

const known = ["AGENTS", "SOUL", "IDENTITY", "USER", "TOOLS", "MEMORY", "HEARTBEAT"];
const named = known.map((name) => `${name}.md`);
const reports = ["DREAMS.md", "dreams.md", "memory/dreaming/deep/2031-05-06.md"];
const guarded = [...named, "skills/tides/SKILL.md", "agents.MD", ...reports];

describe.each(others)("%s", (_name, facts) => {
  test.each(guarded)("changes %s in no way", (path) => {
    for (const change of ["append", "rewrite"] as const) {
      const verdict = mayChange(path, change, facts);
      expect(verdict.ok ? "" : verdict.error).toContain(path);
    }
  });

  test("appends under memory/ and rewrites nothing there", () => {
    expect(mayChange("memory/2031-05-06.md", "append", facts).ok).toBe(true);
    const verdict = mayChange("memory/2031-05-06.md", "rewrite", facts);
    expect(verdict.ok ? "" : verdict.error).toMatch(/append/);
  });

  test.each(["notes/list.md", "projects/AGENTS.md", "skillset.md", "notes/DREAMS.md"])(
    "is free with %s",
    (path) => {
      expect(mayChange(path, "rewrite", facts).ok).toBe(true);
    },
  );
});

test.each([...guarded, "memory/2031-05-06.md", "a.md"])(
  "an owner in a clean direct chat changes %s",
  (path) => {
    expect(mayChange(path, "rewrite", owner).ok).toBe(true);
  },
);

test("says what to do instead", () => {
  const tainted = mayChange("USER.md", "rewrite", { interactiveOwner: true, tainted: true });
  const unattended = mayChange("USER.md", "rewrite", { interactiveOwner: false, tainted: false });
  expect(tainted.ok ? "" : tainted.error).toMatch(/\/new/);
  expect(unattended.ok ? "" : unattended.error).toMatch(/owner/);
});
