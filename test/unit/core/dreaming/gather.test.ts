import { expect, test } from "vitest";
import type { ClassifiedFile } from "#contract/provenance.ts";
import type { Trust } from "#contract/transcript.ts";
import { gatherEvidence, memoryFile } from "#core/dreaming/gather.ts";

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
      earlier: async () => [],
      dayOf: (at) => new Date(at).toISOString().slice(0, 10),
      now: () => Date.parse("2031-05-06T12:00:00Z"),
    },
    7,
    null,
  );
  expect(read.filter((path) => path !== "MEMORY.md").toSorted()).toEqual(
    files.slice(0, 3).toSorted(),
  );
});

test("a night reads all parts of a day's transcripts, and no number of others' takes their place", async () => {
  const at = Date.parse("2031-05-06T12:00:00Z");
  const own = Array.from({ length: 70 }, (_, number) => `sessions/b/2031-05-06-${number + 2}.md`);
  const others = Array.from(
    { length: 90 },
    (_, number) => `sessions/a/2031-05-06-${number + 2}.md`,
  );
  const night = async (files: readonly string[]) => {
    const { evidence } = await gatherEvidence(
      {
        list: async () => files.map((path) => ({ path })),
        read: async (path) => {
          const trust: Trust = path.startsWith("sessions/a") ? "untrusted" : "owner";
          const lines = [{ text: `- ${path}`, origin: { trust, at } }];
          return { path, etag: "1", lines } as unknown as ClassifiedFile;
        },
        recalls: async () => [],
        earlier: async () => [],
        dayOf: (instant) => new Date(instant).toISOString().slice(0, 10),
        now: () => at,
      },
      7,
      null,
    );
    return evidence.lines.filter(({ origin }) => origin.trust === "owner");
  };
  const alone = await night(own);
  expect(alone).toHaveLength(60);
  expect(await night([...others, ...own])).toEqual(alone);
});

test("a MEMORY.md that cannot be read is not taken for an empty one", async () => {
  const file = { path: "MEMORY.md", etag: "1", lines: [], unfit: "larger than 1 MB" };
  const read = async () => file as unknown as ClassifiedFile;
  expect(await memoryFile({ read })).toEqual({ lines: [], etag: "1", unfit: "larger than 1 MB" });
  const lines = [{ text: "a\0b", origin: { trust: "owner", at: 1 } }];
  const binary = async () => ({ path: "MEMORY.md", etag: "1", lines }) as unknown as ClassifiedFile;
  expect((await memoryFile({ read: binary })).unfit).toBe("it is no text");
});
