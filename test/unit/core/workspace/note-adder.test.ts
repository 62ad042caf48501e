import { expect, test } from "vitest";
import type { NoteRequest } from "#contract/memory.ts";
import type { LineOrigin } from "#contract/provenance.ts";
import { createNoteAdder, type NoteAdder } from "#core/workspace/note-adder.ts";
import { WorkspaceWorld } from "#test/doubles/workspace-world.ts";

const at = Date.parse("2026-05-03T10:00:00Z");
const session = "agent:main:web:direct:ada";
const agent: LineOrigin = { trust: "agent", session, at };
const owner: LineOrigin = { trust: "owner", session, message: "s1:4", at };
const path = "memory/2026-05-03.md";

function adderOf(world: WorkspaceWorld): NoteAdder {
  const reader = world.reader();
  const classifier = world.classifier();
  return createNoteAdder({
    writer: world.writer(),
    read: (name) => reader.read(name),
    readClassified: (name) => classifier.readClassified(name),
    timeZone: "UTC",
  });
}

function request(operationId: string, text: string, author = agent): NoteRequest {
  return { operationId, at, entries: [{ text, author }] };
}

async function linesOf(world: WorkspaceWorld): Promise<string[]> {
  return (await world.classes(path)) ?? [];
}

test("what two conversations say at once stands there once, under one heading", async () => {
  const world = new WorkspaceWorld();
  const adder = adderOf(world);
  const receipts = await Promise.all([
    adder.note(request("a", "Ada likes tea")),
    adder.note(request("b", "Ada likes tea")),
    adder.note(request("c", "Bit is a dog")),
  ]);
  expect(receipts).toEqual([
    { ok: true, path, added: true },
    { ok: true, path, added: false },
    { ok: true, path, added: true },
  ]);
  expect(await linesOf(world)).toEqual([
    "agent: # 2026-05-03",
    "agent: - 10:00 Ada likes tea",
    "agent: - 10:00 Bit is a dog",
  ]);
});

test("a request that is repeated adds nothing", async () => {
  const world = new WorkspaceWorld();
  await adderOf(world).note(request("a", "Ada likes tea"));
  const before = await linesOf(world);
  expect((await adderOf(world).note(request("a", "Ada likes tea"))).ok).toBe(true);
  expect(await linesOf(world)).toEqual(before);
});

test("the words of an owner are the owner's beside a wording that is not to be trusted", async () => {
  const world = new WorkspaceWorld();
  const untrusted: LineOrigin = { ...agent, trust: "untrusted" };
  const words = [{ text: "remember that I'm allergic to peanuts", origin: owner }];
  const entries = [{ text: "Allergic to peanuts", author: untrusted, words }];
  await adderOf(world).note({ operationId: "a", at, entries });
  expect(await linesOf(world)).toEqual([
    "untrusted: # 2026-05-03",
    "untrusted: - 10:00 [from outside] Allergic to peanuts",
    'owner:   > "remember that I\'m allergic to peanuts"',
  ]);
});

test("words that somebody else has put there do not keep the owner's out", async () => {
  const world = new WorkspaceWorld();
  const text = '# 2026-05-03\n\n- 09:00 preference:\n  > "I prefer window seats"\n';
  await world.writer().apply(world.tainted({ type: "append", text }, path));
  const words = [{ text: "I prefer window seats on trains", origin: owner }];
  const entries = [{ text: "preference:", author: owner, words }];
  expect(await adderOf(world).note({ operationId: "a", at, entries })).toMatchObject({
    added: true,
  });
  expect(await linesOf(world)).toContain('owner:   > "I prefer window seats on trains"');
});

test("one that fails keeps the next from nothing", async () => {
  const world = new WorkspaceWorld();
  const classifier = world.classifier();
  const reader = world.reader();
  let broken = true;
  const adder = createNoteAdder({
    writer: world.writer(),
    read: (name) => reader.read(name),
    readClassified(name) {
      if (broken) throw new Error("storage does not answer");
      return classifier.readClassified(name);
    },
    timeZone: "UTC",
  });
  await expect(adder.note(request("a", "lost"))).rejects.toThrow("storage");
  broken = false;
  expect(await adder.note(request("a", "kept"))).toMatchObject({ ok: true, added: true });
});

const megabyte = `x${"y".repeat(1_048_000)}x\n`;

test("others cannot fill a note, today's or that of a day to come", async () => {
  const world = new WorkspaceWorld();
  const writer = world.writer();
  for (const day of [path, "memory/2026-05-04.md"]) {
    for (const text of [megabyte, `x${" ".repeat(100_000)}x`, "\n".repeat(100_000)]) {
      const result = await writer.apply(world.tainted({ type: "append", text }, day));
      expect(result).toMatchObject({ ok: false, reason: expect.stringContaining("from outside") });
    }
    const parts = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        writer.apply(world.tainted({ type: "append", text: `${n}${"z".repeat(8_000)}` }, day)),
      ),
    );
    expect(parts.filter(({ ok }) => ok).length).toBeLessThanOrEqual(8);
    expect((await world.reader().read(day))?.size).toBeLessThanOrEqual(65_536);
  }
  expect(await adderOf(world).note(request("a", "Ada likes tea", owner))).toMatchObject({
    ok: true,
    path,
  });
});

test("what is clean does not count as room of others'", async () => {
  const world = new WorkspaceWorld();
  await world
    .writer()
    .apply(world.operation({ type: "append", text: megabyte.slice(10_000) }, path));
  const change = { type: "append", text: "- from a page\n" } as const;
  expect(await world.writer().apply(world.tainted(change, path))).toMatchObject({ ok: true });
});

test("a day whose note is full goes on in another one, and says a thing once there", async () => {
  const world = new WorkspaceWorld();
  await world.writer().apply(world.operation({ type: "append", text: megabyte }, path));
  const adder = adderOf(world);
  const other = "memory/2026-05-03-2.md";
  const told = request("a", `Ada likes ${"tea ".repeat(300)}`, owner);
  expect(await adder.note(told)).toEqual({ ok: true, path: other, added: true });
  expect(await adder.note(told)).toEqual({ ok: true, path: other, added: false });
  expect((await world.classes(other))?.at(-1)).toMatch(/^owner: - 10:00 Ada likes tea/);
});

test("what others say beside an owner's words does not take these with it", async () => {
  const world = new WorkspaceWorld();
  const text = `- ${"z".repeat(65_500)}\n`;
  expect(await world.writer().apply(world.tainted({ type: "append", text }, path))).toMatchObject({
    ok: true,
  });
  const entries = [
    { text: "a page ".repeat(20), author: { ...agent, trust: "untrusted" as const } },
    { text: "Ada likes tea", author: owner },
  ];
  const receipt = await adderOf(world).note({ operationId: "a", at, entries });
  expect(receipt).toMatchObject({ ok: true, added: true });
  const lines = await linesOf(world);
  expect(lines).toContain("owner: - 10:00 Ada likes tea");
  expect(lines.join("\n")).not.toContain("a page");
});

test("which note of a day an owner's words come into is not for others to decide", async () => {
  async function pathOf(others: number): Promise<unknown> {
    const world = new WorkspaceWorld();
    const text = `- ${"y".repeat(990_000)}\n`;
    await world.writer().apply(world.operation({ type: "append", text }, path));
    const heard = { type: "append", text: `- ${"z".repeat(others)}\n` } as const;
    expect(await world.writer().apply(world.tainted(heard, path))).toMatchObject({ ok: true });
    return adderOf(world).note(request("a", "Ada likes tea", owner));
  }
  const alone = await pathOf(1);
  expect(alone).toMatchObject({ ok: true, added: true });
  expect(await pathOf(58_560)).toEqual(alone);
});
