import { expect, test } from "vitest";
import { gatherEvidence } from "#core/dreaming/gather.ts";

test("a night reads the further notes of a day, and no other names that begin with its date", async () => {
  const files = [
    "memory/2031-05-06.md",
    "memory/2031-05-06-2.md",
    "memory/2031-05-06-9.md",
    "memory/2031-05-06-10.md",
    "memory/2031-05-06-plan.md",
    "memory/2031-04-01-2.md",
  ];
  const read: string[] = [];
  await gatherEvidence(
    {
      list: async () => files.map((path) => ({ path })),
      read: async (path) => {
        read.push(path);
        return null;
      },
      recalls: async () => [],
      dayOf: (at) => new Date(at).toISOString().slice(0, 10),
      now: () => Date.parse("2031-05-06T12:00:00Z"),
    },
    7,
  );
  expect(read.filter((path) => path !== "MEMORY.md").toSorted()).toEqual(
    files.slice(0, 3).toSorted(),
  );
});
