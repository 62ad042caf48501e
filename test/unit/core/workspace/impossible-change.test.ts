import { beforeEach, expect, test } from "vitest";
import { WorkspaceWorld } from "#test/doubles/workspace-world.ts";

/** Changes that stand in the log and cannot be made: none of them may hold up its file. */
let world: WorkspaceWorld;
beforeEach(() => {
  world = new WorkspaceWorld();
});

const grow = (old: string, by: number) =>
  ({ type: "replace", oldText: old, newText: "b".repeat(by), all: true }) as const;

test("a change that cannot be made because it would outgrow all memory is refused, and the file stays usable", async () => {
  world.store.editOutside("notes/day.md", "a".repeat(24_000));
  const writer = world.writer();
  const result = await writer.apply(world.operation(grow("a", 30_000)));
  expect(result).toMatchObject({ ok: false, reason: expect.stringMatching(/720000000 bytes/) });
  expect(world.log.pendingPaths()).toEqual([]);
  expect(await writer.apply(world.append("more"))).toMatchObject({ ok: true });
  const seen = await world.reader().read("notes/day.md");
  expect(seen?.text).toMatch(/^a{24000}\nmore\n$/);
});

test("a change that cannot be made because thinking of it throws is refused, and its neighbours are made", async () => {
  const broken = world.operation({ type: "append", text: "x" });
  Object.defineProperty(broken.change, "type", {
    get: () => {
      throw new Error("out of order");
    },
  });
  world.log.record(broken);
  const reader = world.reader();
  expect(await reader.read("notes/day.md")).toBeNull();
  expect(await world.writer().apply(world.append("tea"))).toMatchObject({ ok: true });
  expect(await world.writer().finishAll()).toBe(true);
  expect(world.log.get(broken.operationId)?.result).toMatchObject({
    ok: false,
    reason: expect.stringContaining("out of order"),
  });
  expect((await reader.read("notes/day.md"))?.text).toBe("tea\n");
});

test("a change that cannot be made because storage refuses it for days is given up, and not a minute sooner", async () => {
  world.store.gate = (phase) => {
    if (phase === "put") throw new Error("put: (10100) refused");
  };
  const operation = world.append("tea");
  await world.writer().apply(operation);
  world.time += 3 * 86_400_000 - 60_000;
  expect(await world.writer().finishAll()).toBe(false);
  world.time += 60_000;
  expect(await world.writer().finishAll()).toBe(true);
  const result = await world.writer().apply(operation);
  expect(result).toMatchObject({ ok: false, reason: expect.stringMatching(/given up/) });
});
