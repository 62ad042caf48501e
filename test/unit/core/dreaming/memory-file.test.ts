import fc from "fast-check";
import { expect, test } from "vitest";
import {
  editLines,
  othersLines,
  parseMemoryFile,
  renderEntry,
  sizeOf,
  textOf,
} from "#core/dreaming/memory-file.ts";
import { keepsOthers } from "#core/dreaming/plan.ts";
import type { CuratedLine } from "#contract/dreaming.ts";
import { Chat } from "#test/doubles/whole-memory-chat.ts";
import { WholeMemory } from "#test/doubles/whole-memory.ts";
import { curated, source } from "./world.ts";

const from = `<!-- from: ${source("x")} -->`;
const text = `# Memory
- by hand <!-- importance: 9 -->
- ours <!-- importance: 3 --> <!-- importance: 7 --> <!-- trigger: a, b; c --> <!-- project: x --> <!-- key: my:car --> ${from}
  - nested ${from}
* star ${from}
- bad source <!-- from: somewhere -->
- ${from}
prose
`;

test("entries of ours are list items with a readable source, all else is by hand", () => {
  const file = parseMemoryFile(curated(text));
  expect(file.entries).toEqual([
    {
      line: 2,
      text: "ours",
      importance: 7,
      triggers: ["a", "b", "c"],
      projects: ["x"],
      key: "my:car",
      from: [source("x")],
      day: "2026-05-10",
    },
  ]);
  expect(file.handWritten).toEqual(["- by hand", "- nested", "* star", "- bad source", "prose"]);
});

test("lines that are not clean are neither entries nor read", () => {
  const lines = [
    ...curated(`- evil ${from}\nmore`, "untrusted"),
    ...curated(`- product ${from}`, "system"),
  ];
  expect(parseMemoryFile(lines)).toMatchObject({ entries: [], handWritten: [] });
  expect(sizeOf(lines)).toBe(0);
});

test("an entry that is written reads back as it was meant", () => {
  const words = fc
    .stringMatching(/^[A-Za-z我他0-9 ,.;:'|()"!-]{1,60}$/)
    .filter((one) => one.trim() !== "");
  const trigger = fc.stringMatching(/^[a-z我 <>;,|-]{1,20}$/);
  fc.assert(
    fc.property(
      words,
      fc.integer({ min: 1, max: 10 }),
      fc.array(trigger, { maxLength: 3 }),
      (said, importance, triggers) => {
        const draft = {
          text: said.trim(),
          importance,
          triggers,
          key: "my:car",
          from: [source("x"), "memory/my trip to Łódź.md#0123456789abcdef"],
        };
        const raw = renderEntry(draft);
        const { entries } = parseMemoryFile(curated(raw ?? ""));
        expect(entries).toMatchObject([
          { text: said.trim(), importance, key: "my:car", from: draft.from },
        ]);
        expect(raw).not.toContain("\n");
      },
    ),
  );
});

test("an entry without a source that can be told is not written", () => {
  const draft = { text: "x", importance: 5, triggers: [], key: null };
  expect(renderEntry({ ...draft, from: [] })).toBeNull();
  expect(renderEntry({ ...draft, from: ["no anchor"] })).toBeNull();
  expect(
    renderEntry({ ...draft, from: [`sessions/${"a".repeat(900)}.md#0123456789abcdef`] }),
  ).toBeNull();
});

test("sources that do not fit into a note are left out from the oldest on", () => {
  const many = Array.from({ length: 30 }, (_one, index) => source(`${index}`));
  const raw = renderEntry({ text: "x", importance: 5, triggers: [], key: null, from: many });
  expect(parseMemoryFile(curated(raw ?? "")).entries[0]?.from).toEqual(many.slice(0, 8));
});

test.each([
  ["", "## Learned\n\n- x\n"],
  ["\n", "## Learned\n\n- x\n\n"],
  ["a", "a\n\n## Learned\n\n- x\n"],
  ["a\n", "a\n\n## Learned\n\n- x\n"],
  ["a\r\nb\r\n", "a\r\nb\r\n\n## Learned\n\n- x\n"],
  ["## Learned\n\n- by hand\n", "## Learned\n\n- x\n\n- by hand\n"],
  [`- one ${from}\n\nend`, `- one ${from}\n- x\n\nend`],
])("a new entry in %j", (before, after) => {
  const edit = { replaced: new Map(), added: ["- x"] };
  expect(textOf(editLines(parseMemoryFile(curated(before)), edit))).toBe(after);
});

test("in a fresh file the section stands below the comment that opens it", () => {
  const comment = "<!-- Lasting facts, one line each. -->";
  const add = (lines: CuratedLine[]) =>
    textOf(editLines(parseMemoryFile(lines), { replaced: new Map(), added: ["- x"] }));
  const fresh = `${comment}\n\n## People\n\n## Projects\n`;
  expect(add(curated(fresh, "system"))).toBe(
    `${comment}\n\n## Learned\n\n- x\n\n## People\n\n## Projects\n`,
  );
  // Only the product's own: what came from outside has no say in where anything goes.
  const [opening, ...rest] = curated(fresh, "system");
  expect(add([{ ...opening!, trust: "untrusted" }, ...rest])).toMatch(/^## Learned\n\n- x\n/);
});

test("what is learnt first stands below the opening of the file a new agent has", async () => {
  const memory = new WholeMemory();
  await memory.bootstrap();
  await new Chat(memory).say({ text: "Remember that Eva is allergic to peanuts" });
  memory.time += 20 * 3_600_000;
  await memory.night();
  const text = memory.text("MEMORY.md");
  expect(text).toMatch(/^<!--[^\n]*-->\n\n## Learned\n\n- Eva is allergic[^\n]*\n\n## People\n/);
});

const anyLine = fc.record({
  text: fc.oneof(
    fc.constantFrom(
      "",
      "## Learned",
      "# Memory",
      `- ours ${from}`,
      `- also ours ${from}`,
      "- [ ] by hand",
      "<!-- from:",
      "\r",
      "```",
    ),
    fc.string({ maxLength: 30 }).map((one) => one.replaceAll("\n", "")),
  ),
  trust: fc.constantFrom("owner" as const, "agent" as const),
});

test("whatever a person wrote, the file is read, and an edit leaves it byte for byte", () => {
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 20 }), fc.nat(), (lines, pick) => {
      const before = parseMemoryFile(lines);
      const entry = before.entries[pick % Math.max(1, before.entries.length)];
      const replaced = new Map(
        entry ? [[entry.line, pick % 2 === 0 ? null : `- new ${from}`]] : [],
      );
      const after = parseMemoryFile(editLines(before, { replaced, added: [`- fresh ${from}`] }));
      expect(keepsOthers(before, after)).toBe(true);
      // In order, and nothing beside them but the heading and the lines that set it apart.
      const others = othersLines(before).map((line) => line.text);
      const rest = othersLines(after).map((line) => line.text);
      expect(rest.length - others.length).toBeLessThanOrEqual(4);
      expect(after.entries.map((one) => one.text)).toContain("fresh");
    }),
    { numRuns: 2000 },
  );
});

test("a line that was changed, dropped or added is noticed", () => {
  const before = parseMemoryFile(curated("a\nb\nb\n"));
  for (const other of ["a\nb\n", "a\nb\nc\n", "a\nb\nb\nevil\n", "b\na\nb\n", "a \nb\nb\n"]) {
    expect(keepsOthers(before, parseMemoryFile(curated(other)))).toBe(false);
  }
});

test("a line of comments that nobody closes is gone through once", () => {
  const lines = curated(`- ${"<!-- ".repeat(200_000)}\n- by hand <!-- and more`);
  // What is too slow here runs into the limit of the test.
  expect(parseMemoryFile(lines).handWritten).toEqual(["- by hand <!-- and more"]);
});
