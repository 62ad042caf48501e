import { expect, test } from "vitest";
import { sessionTools } from "#ext/session-tools/index.ts";
import { MemoryDouble } from "#test/doubles/memory.ts";
import { SessionWorld } from "#test/doubles/session-world.ts";

const today = "memory/2031-05-06";
const yesterday = "memory/2031-05-05";

/** What the notes look like beside a message; null = nothing of them is there. */
async function shownOf(files: Readonly<Record<string, string>>): Promise<string | null> {
  const memory = new MemoryDouble();
  for (const [path, text] of Object.entries(files)) {
    memory.files.set(`${path}.md`, { text, trust: "owner" });
  }
  const world = new SessionWorld({
    key: "agent:main:web:direct:ada",
    now: () => Date.parse("2031-05-06T12:00:00Z"),
    tools: sessionTools.tools,
    agent: { beginStep: async () => ({ granted: true, bootstrap: null }), memory },
    config: { memory: { dailyNotesInContext: "wrapped", recall: "off" } },
  });
  const turn = await world.receive("hello");
  const notes = /<<<EXTERNAL_CONTENT \w+>>>\n(.*)\n<<<END/s.exec(turn?.detail.recalled ?? "");
  return notes?.[1] ?? null;
}

test("a day's further notes come along, the last ones at the end", async () => {
  const files = { [`${today}-2`]: "- two", [today]: "- one", [yesterday]: "- before" };
  expect(await shownOf(files)).toBe("- before\n\n- one\n\n- two");
});

test("what goes on behind notes that have nothing to show comes along, too", async () => {
  expect(await shownOf({ [`${today}-9`]: "- nine", [`${yesterday}-3`]: "- three" })).toBe(
    "- three\n\n- nine",
  );
});

test("of long notes the newest lines are shown, and of the day before none that has no room", async () => {
  const line = (at: number) => `- ${at} ${"x".repeat(100)}`;
  const long = Array.from({ length: 1_000 }, (_, at) => line(at));
  const shown = (await shownOf({ [today]: long.join("\n"), [yesterday]: "- before" })) ?? "";
  expect(shown.length).toBeLessThanOrEqual(6_000);
  expect(shown.length).toBeGreaterThan(5_800);
  expect(shown.endsWith(line(999))).toBe(true);
  expect(shown).not.toContain("before");
});
