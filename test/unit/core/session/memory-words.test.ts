import { expect, test } from "vitest";
import type { MemoryUpkeep } from "#contract/upkeep.ts";
import { numbered } from "#core/memory/forget-store.ts";
import { commandText } from "#core/session/command-run.ts";
import { SessionWorld } from "#test/doubles/session-world.ts";

/** What a command tells who does not quite know how it is used, from the inbox to the outbox. */
async function told(text: string, upkeep: Partial<MemoryUpkeep> = {}): Promise<string> {
  const world = new SessionWorld({
    key: "agent:main:web:direct:ada",
    now: () => Date.UTC(2031, 4, 6),
    agent: { upkeep: upkeep as MemoryUpkeep },
    tools: [],
  });
  await world.receive(text);
  return commandText(world.ports, 1);
}

const versions = {
  versions: async () => [{ id: "0000-1a2b3c", at: 0, size: 10 }],
  restore: async ({ path, id }: { path: string; id: string }) =>
    ({ ok: false, reason: `${path} ${id}` }) as never,
};

test.each([
  ["/memory restore MEMORY.md zzz", "zzz", "MEMORY.md"],
  ["/memory restore MEMORY.md the one of yesterday", "the one of yesterday", "MEMORY.md"],
  ["/memory versions MEMORY.md 1a2b3d", "1a2b3d", "MEMORY.md"],
  ["/memory restore memory/a b.md zzz", "zzz", "memory/a b.md"],
])(
  "%s: there is no version %s of %s, and how to list those there are",
  async (text, name, path) => {
    expect(await told(text, versions)).toBe(
      `There is no version \`${name}\` of \`${path}\`. /memory versions ${path} lists what there is.`,
    );
  },
);

test("a version is brought back by path and name, also where the path has spaces", async () => {
  expect(await told("/memory restore MEMORY.md 1A2B3C", versions)).toBe("MEMORY.md 0000-1a2b3c");
  expect(await told("/memory restore memory/a b.md 1a2b3c", versions)).toBe(
    "memory/a b.md 0000-1a2b3c",
  );
  expect(await told("/memory restore memory/a.md", versions)).toBe(
    "Which one? /memory versions memory/a.md lists what there is.",
  );
});

test.each(["confirm", "confirm abc", "confirm <id>", "confirm 1 2", "confirm 1a2b3c the first"])(
  "/memory forget %s is told how to confirm, and is no text to look for",
  async (words) => {
    expect(await told(`/memory forget ${words}`)).toMatch(/^To confirm, write .* six characters/);
  },
);

test("a text that only begins with that word is looked for", async () => {
  const offer = async () => ({ id: "1a2b3c", facts: [], more: false });
  const text = "/memory forget confirm the booking with Ann";
  expect(await told(text, { offer })).toBe("Nothing like that is in the memory.");
});

test("a number that the offer does not have is told, with those it has", async () => {
  const forget = async ({ id }: { id: string }) =>
    ({ status: "misnumbered", id, facts: 3 }) as const;
  expect(await told("/memory forget confirm 1a2b3c 99", { forget })).toBe(
    "The numbers go from 1 to 3; nothing was forgotten. /memory forget confirm 1a2b3c forgets all of it.",
  );
});

test("of an offer all is chosen, or what is named if all of that is there", () => {
  const facts = ["a", "b", "c"].map((text) => ({ text, where: [] }));
  const texts = (numbers?: number[]) => numbered(facts, numbers)?.map(({ text }) => text);
  expect(texts()).toEqual(["a", "b", "c"]);
  expect(texts([3, 1])).toEqual(["a", "c"]);
  for (const numbers of [[99], [1, 4], [0]]) expect(texts(numbers)).toBeUndefined();
});

test("/help names the ways into the memory", async () => {
  const help = await told("/help");
  for (const command of ["/memory search", "/memory forget", "/dreaming", "/commands"]) {
    expect(help).toContain(command);
  }
});
