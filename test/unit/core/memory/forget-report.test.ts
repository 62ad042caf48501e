import { expect, test } from "vitest";
import { forgetReportSchema } from "#contract/upkeep.ts";
import { forgetOfferText, forgetStatusText } from "#core/memory/forget-report.ts";

const offer = (count: number) => ({
  id: "a1b2c3",
  facts: Array.from({ length: count }, (_one, index) => ({
    text: `fact ${index + 1}`,
    where: ["memory/2031-05-06.md"],
  })),
  more: false,
});

test.each([
  [1, []],
  [2, ["2"]],
  [3, ["1", "3"]],
])("of %i facts an offer names only numbers that are there", (count, numbers) => {
  const text = forgetOfferText(offer(count));
  const example = /forget confirm a1b2c3 ([\d ]+) forgets only/.exec(text)?.[1] ?? "";
  expect(example.split(" ").filter((number) => number !== "")).toEqual(numbers);
});

test("how the memory is says in one line what was forgotten last", () => {
  const report = forgetReportSchema.parse({
    facts: 2,
    files: [
      { path: "MEMORY.md", lines: 1 },
      { path: "memory/2031-05-06.md", lines: 3 },
    ],
    versions: 4,
    intents: 0,
    dreams: 1,
    entries: 7,
    conversations: 2,
    archives: 0,
    unreached: [],
    stillIn: ["ideas.md"],
  });
  const done = { status: "done", id: "a1b2c3", report } as const;
  expect(forgetStatusText(done)).toBe("Last forgotten: 2 facts, 4 lines in 2 files.");
  const open = { ...done, report: { ...report, unreached: ["a conversation"] } };
  expect(forgetStatusText(open)).toContain("\nNot reached: a conversation.");
});
