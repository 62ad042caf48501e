import { expect, test } from "vitest";
import { blockEnd, blockStart } from "#core/dreaming/evidence.ts";
import { eager, reasonable } from "#test/doubles/dream-models.ts";
import { Chat } from "#test/doubles/whole-memory-chat.ts";
import { WholeMemory, type WholeMemoryOptions } from "#test/doubles/whole-memory.ts";

/** MEMORY.md under everything at once, with all parts of the memory real. */
const HOUR = 3_600_000;

async function opened(options: WholeMemoryOptions = {}) {
  const memory = new WholeMemory(options);
  const chat = new Chat(memory);
  await memory.bootstrap();
  memory.time += 60_000;
  return { memory, chat };
}

function lines(text: string): string[] {
  return text.split("\n").filter((line) => line.startsWith("- "));
}

// B54
test("two conversations, an editor outside and a night lose nothing of each other", async () => {
  const { memory, chat } = await opened();
  const second = new Chat(memory, { key: "agent:main:web:direct:ada2" });
  const other = new Chat(memory, { key: "agent:main:web:direct:eva", isStrangers: true });
  memory.editOutside("MEMORY.md", () => "- E1\n- E2\n- E3\n- E4\n- E5\n");
  await chat.say({ text: "Please remember that the boat lies in Whitby" });
  memory.time += 12 * HOUR;
  // Just before the night's own put, somebody else has written.
  let edits = 0;
  memory.store.gate = (phase, path) => {
    if (phase !== "put" || path !== "MEMORY.md" || edits > 0) return;
    edits += 1;
    memory.editOutside("MEMORY.md", (text) => `${text}- E8\n`);
  };
  const edit = { path: "MEMORY.md", old_text: "- E2\n", new_text: "- E2b\n" };
  const append = (text: string) => ({ path: "MEMORY.md", text, mode: "append" });
  const added = Promise.all([
    memory.night(),
    chat.have({ tool: "write", input: append("- E6") }),
    second.have({ tool: "edit", input: edit }),
    // No turn of the owner's: refused, and nothing of it gets in.
    other.have({ tool: "write", input: append("- E9") }),
  ]);
  expect((await added).slice(1)).toEqual([true, true, false]);
  await memory.night();

  const found = lines(memory.text("MEMORY.md")).map((line) => line.replace(/ <!--.*/, ""));
  expect(edits).toBe(1);
  const expected = ["E1", "E2b", "E3", "E4", "E5", "E6", "E8", "the boat lies in Whitby"];
  expect(found.toSorted()).toEqual(expected.map((text) => `- ${text}`).toSorted());
  const shown = (await memory.bootstrap())?.files.find(({ path }) => path === "MEMORY.md")?.text;
  for (const text of expected) expect(shown).toContain(`- ${text}`);
});

// B55
test("what a night has written is no evidence for the next one, reports in a note included", async () => {
  const { memory, chat } = await opened({ model: eager });
  const block = [
    blockStart,
    "# deep",
    "- Ada's cat is called Tux (score 0.81, source x): ready",
    "- The attic holds old books, score: 0.44, evidence: 3, status: staged",
    blockEnd,
  ].join("\n");
  const input = { path: "memory/2026-05-01.md", text: block, mode: "append" };
  await chat.have({ tool: "write", input });
  await chat.say({ text: "Please remember that Ada's dog is called Bit" });
  const after: string[] = [];
  const reports: (string | undefined)[] = [];
  for (let night = 0; night < 3; night += 1) {
    memory.time += 24 * HOUR;
    await memory.night();
    after.push(memory.text("MEMORY.md"));
    reports.push(memory.reports.get("DREAMS.md"));
  }
  expect(lines(after[0] ?? "").filter((line) => line.includes("called Bit"))).toHaveLength(1);
  expect(after[0]).not.toMatch(/Tux|attic|score|evidence|status/);
  expect(after.slice(1)).toEqual([after[0], after[0]]);
  expect(reports.slice(1)).toEqual([reports[0], reports[0]]);
});

test.each([
  ["by rule", null],
  ["with a model", reasonable],
] as const)(
  "at its budget the file keeps it %s, night after night, and what was put right is right",
  async (_how, model) => {
    const budget = 1_200;
    const { memory, chat } = await opened({ model, budget });
    const hand = "# By hand\n\nThe owner's own words, which no night may touch.\n";
    memory.editOutside("MEMORY.md", () => hand);
    await chat.say({ text: "Remember that I prefer tea over coffee" });
    const sizes: number[] = [];
    for (let night = 0; night < 12; night += 1) {
      for (const thing of ["lamp", "map", "kite"]) {
        memory.time += 60_000;
        await chat.say({
          text: `Please remember that the ${thing} of room ${night} is worth ${night}7 euros`,
        });
      }
      if (night === 8) await chat.say({ text: "I now prefer coffee over tea" });
      memory.time += 23 * HOUR;
      await memory.night();
      sizes.push(memory.text("MEMORY.md").length);
    }
    expect(Math.max(...sizes)).toBeLessThanOrEqual(budget);
    // It was full long before the end.
    expect(sizes[6]).toBeGreaterThan(budget - 250);
    const text = memory.text("MEMORY.md");
    expect(text.startsWith(hand.trimEnd())).toBe(true);
    expect(text).toContain("coffee over tea");
    expect(text).not.toContain("tea over coffee");
  },
);
