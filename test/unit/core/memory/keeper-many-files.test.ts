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

  test("are built anew without a gap while they are being compared", async () => {
    const world = await many();
    const running = world.start();
    await running.search("zebra0");
    await Promise.all([running.keeper.run(), running.keeper.beginRebuild()]);
    await settled(running, world);
    expect((await world.index.counts()).sources).toBe(120);
  });

  test("are told to be compared until they are", async () => {
    const world = await many();
    const running = world.start();
    await running.search("zebra0");
    expect(running.keeper.state()).toMatchObject({ waiting: 0, comparing: true });
    await settled(running, world);
    expect(running.keeper.state()).toMatchObject({ waiting: 0, comparing: false });
  });

  test("do not hold up what is marked when they cannot be listed", async () => {
    const world = await many();
    const running = world.start();
    await running.search("zebra0");
    world.files.list = () => Promise.reject(new Error("503"));
    world.files.write(pathOf(7), "- giraffe");
    running.keeper.mark(pathOf(7));
    expect(await running.keeper.run()).toBe("failed");
    expect(paths(await running.search("giraffe"))).toEqual([pathOf(7)]);
  });

  test("are compared to the end although some of them cannot be read", async () => {
    const world = await many();
    const read = world.files.read.bind(world.files);
    world.files.read = async (path) => {
      if (path < pathOf(60)) throw new Error("503");
      return read(path);
    };
    const running = world.start();
    await running.search("zebra0");
    await settled(running, world);
    expect((await world.index.counts()).sources).toBe(60);
    const failed = await running.keeper.sync();
    expect(failed).toHaveLength(60);
    expect(failed).toContain(pathOf(0));
  });

  test("are built anew as a whole", async () => {
    const world = await many();
    await world.start().keeper.rebuild();
    expect((await world.index.counts()).sources).toBe(120);
  });
});
