import { expect, test } from "vitest";
import { withoutMemory } from "#core/turn/without-memory.ts";
import { WorkspaceWorld } from "#test/doubles/workspace-world.ts";

function open() {
  const world = new WorkspaceWorld();
  for (const path of ["MEMORY.md", "USER.md", "memory/2026-05-04.md", "ideas.md", "a/memory/b.md"])
    world.store.editOutside(path, `tea in ${path}`);
  const writer = world.writer();
  const workspace = { ...world.reader(), apply: writer.apply.bind(writer) };
  return { world, workspace: withoutMemory(workspace) };
}

test.each(["MEMORY.md", "USER.md", "memory/2026-05-04.md", "Memory/x.md"])(
  "nothing of %s is read or written",
  async (path) => {
    const { world, workspace } = open();
    const before = world.store.text(path);
    expect(await workspace.read(path)).toBeNull();
    const change = { type: "append" as const, text: "more" };
    expect(await workspace.apply({ operationId: "o", path, change })).toMatchObject({
      ok: false,
      reason: expect.stringContaining("/memory on"),
    });
    expect(world.store.text(path)).toBe(before);
  },
);

test("nothing of the memory is listed or found, and all else is", async () => {
  const { workspace } = open();
  expect((await workspace.list("")).map(({ name }) => name)).toEqual(["a/", "ideas.md"]);
  expect(await workspace.list("memory")).toEqual([]);
  const query = { pattern: "tea", ignoreCase: true, maxMatches: 50 };
  const found = await workspace.grep({ ...query, folder: "" });
  expect(found.ok && found.matches.map(({ path }) => path).toSorted()).toEqual([
    "a/memory/b.md",
    "ideas.md",
  ]);
  expect(await workspace.grep({ ...query, folder: "memory" })).toMatchObject({ matches: [] });
  expect((await workspace.read("ideas.md"))?.text).toBe("tea in ideas.md");
  const change = { type: "append" as const, text: "more" };
  expect(await workspace.apply({ operationId: "o", path: "ideas.md", change })).toMatchObject({
    ok: true,
  });
});
