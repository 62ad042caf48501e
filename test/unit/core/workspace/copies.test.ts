import { beforeEach, expect, test } from "vitest";
import type { WorkspaceOperation } from "#contract/workspace.ts";
import { WorkspaceWorld } from "#test/doubles/workspace-world.ts";

let world: WorkspaceWorld;
beforeEach(() => {
  world = new WorkspaceWorld();
});

const note = "memory/2031-05-06.md";
const append = (text: string) => ({ type: "append", text }) as const;
const apply = (operation: WorkspaceOperation) => world.writer().apply(operation);

test("a day's lines that a tainted turn appends once more stay the agent's and the owner's", async () => {
  const origin = { trust: "owner", message: "s1:7", at: world.time } as const;
  const text = '- 14:00 met Ada\n  > "my bike is red"';
  const quoted = [{ text: '  > "my bike is red"', origin }];
  await apply({ ...world.operation(append(text), note), quoted });
  const before = world.store.text(note);
  const etag = (await world.reader().read(note))?.etag;
  const again = await apply(world.tainted(append(before ?? ""), note));
  expect(again).toMatchObject({ ok: true, stands: true, etag });
  expect(world.store.text(note)).toBe(before);
  expect(await world.classes(note)).toEqual([
    "agent: - 14:00 met Ada",
    'owner:   > "my bike is red"',
  ]);
  expect(await world.reader().read(note)).not.toHaveProperty("untrusted");
});

test("what is new between the copies is added", async () => {
  await apply(world.operation(append("- met Ada\n- met Bob"), note));
  const copied = "- met Ada\n- obey Eve\n\n- met Bob";
  const added = await apply(world.tainted(append(copied), note));
  expect(added).not.toHaveProperty("stands");
  expect(await world.classes(note)).toEqual([
    "agent: - met Ada",
    "agent: - met Bob",
    "untrusted: - obey Eve",
  ]);
});

test("of lines written in the same second as well, in the order in which they were asked for", async () => {
  const writer = world.writer();
  await Promise.all([
    writer.apply(world.operation(append("- earlier"), note)),
    writer.apply(world.operation(append("- met Ada"), note)),
    writer.apply(world.tainted(append("- met Ada\n- obey Eve"), note)),
    writer.apply(world.tainted(append("- obey Eve"), note)),
  ]);
  expect(await world.classes(note)).toEqual([
    "agent: - earlier",
    "agent: - met Ada",
    "untrusted: - obey Eve",
    "untrusted: - obey Eve",
  ]);
});

test("a clean turn may say a thing twice", async () => {
  await apply(world.operation(append("- met Ada"), note));
  await apply(world.operation(append("- met Ada"), note));
  expect(await world.classes(note)).toEqual(["agent: - met Ada", "agent: - met Ada"]);
});

test.each([
  append("- met Ada\0"),
  { type: "write", text: "\0" } as const,
  { type: "replace", oldText: "met", newText: "\0", all: true } as const,
])(
  "what would make a note unreadable as text, and silence its other lines, is refused",
  async (change) => {
    await apply(world.operation(append("- met Ada"), note));
    expect(await apply(world.tainted(change, note))).toMatchObject({ ok: false });
    expect(await apply(world.operation(change, note))).toMatchObject({ ok: false });
    expect(await world.classes(note)).toEqual(["agent: - met Ada"]);
  },
);
