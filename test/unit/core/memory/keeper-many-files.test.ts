import { describe, expect, test } from "vitest";
import { MemoryWorld } from "#test/doubles/memory-world.ts";

const paths = (answer: { rows: readonly { path: string }[] }) =>
  answer.rows.map(({ path }) => path);

describe("more files than are listed in one go", () => {
  const pathOf = (at: number) => `memory/${String(at).padStart(3, "0")}.md`;

  /** 120 of them, ten a list. */
  async function many() {
    const world = new MemoryWorld();
    for (let at = 0; at < 120; at += 1) world.files.write(pathOf(at), `- zebra${at}`);
    world.files.listed = 10;
    return world;
  }

  async function settled({ keeper }: ReturnType<MemoryWorld["start"]>, world: MemoryWorld) {
    const lists: number[] = [];
    for (let outcome = "more"; outcome === "more";) {
      const before = world.files.lists;
      outcome = await keeper.run();
      lists.push(world.files.lists - before);
    }
    return lists;
  }

  test("are compared step by step, and none is left out, also if the object is loaded anew meanwhile", async () => {
    const world = await many();
    await world.start().search("zebra0");
    expect(world.files.lists).toBe(5);
    expect((await world.index.counts()).sources).toBe(50);
    expect(world.scheduled).toContain(world.time);
    expect(Math.max(...(await settled(world.start(), world)))).toBe(5);
    expect((await world.index.counts()).sources).toBe(120);
  });

  test("are found changed or gone wherever they stand, and none is taken for gone", async () => {
    const world = await many();
    await settled(world.start(), world);
    const running = world.start();
    await running.search("zebra0");
    await settled(running, world);
    expect((await world.index.counts()).sources).toBe(120);
    const published = world.index.published.length;
    world.files.write(pathOf(119), "- giraffe");
    world.files.files.delete(pathOf(60));
    world.time += 181_000;
    await running.search("giraffe");
    await settled(running, world);
    expect(paths(await running.search("giraffe"))).toEqual([pathOf(119)]);
    expect(await world.index.source(pathOf(60))).toBeNull();
    expect(world.index.published).toHaveLength(published + 1);
  });

  test("cost no more lists in an hour of searches than few files do", async () => {
    const world = await many();
    const running = world.start();
    await running.search("zebra1");
    await settled(running, world);
    const before = world.files.lists;
    for (let minutes = 0; minutes < 60; minutes += 1) {
      world.time += 61_000;
      await world.start().search("zebra1");
      await settled(world.start(), world);
    }
    expect(world.files.lists - before).toBeLessThanOrEqual(60 * 5);
  });

  test("are built anew as a whole", async () => {
    const world = await many();
    await world.start().keeper.rebuild();
    expect((await world.index.counts()).sources).toBe(120);
  });
});
