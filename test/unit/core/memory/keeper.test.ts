import { describe, expect, test } from "vitest";
import { EmbedderDouble, MemoryWorld } from "#test/doubles/memory-world.ts";

const paths = (answer: { rows: readonly { path: string }[] }) =>
  answer.rows.map(({ path }) => path);

describe("a stale index (B51)", () => {
  const a = "memory/a.md";
  const b = "memory/b.md";

  async function stale() {
    const world = new MemoryWorld();
    world.files.write(a, "- about apples\n- about pears\n- zebra7 lives here");
    world.files.write(b, "- about plums");
    const running = world.start();
    await running.search("apples");
    return { world, ...running };
  }

  test("forgets what a file no longer says", async () => {
    const { world, keeper, search } = await stale();
    world.files.write(a, "- about apples\n- about pears");
    keeper.mark(a);
    expect(paths(await search("zebra7"))).toEqual([]);
    expect(paths(await search("pears"))).toEqual([a]);
  });

  test("forgets a deleted file, also one that somebody else deleted", async () => {
    const { world, search } = await stale();
    world.files.files.delete(a);
    world.time += 61_000;
    expect(paths(await search("apples pears plums"))).toEqual([b]);
    expect(await world.index.source(a)).toBeNull();
  });

  test("indexes what is marked at the moment another one ends", async () => {
    const { world, keeper } = await stale();
    let second: Promise<unknown> | undefined;
    const all = world.dirty.all.bind(world.dirty);
    world.dirty.all = () => {
      const marked = all();
      if (marked.length === 0 && !second) {
        second = Promise.resolve().then(() => {
          world.files.write(b, "- about cherries");
          keeper.mark(b);
          return keeper.sync();
        });
      }
      return marked;
    };
    keeper.mark(a);
    await keeper.sync();
    await second;
    expect(all()).toEqual([]);
  });

  test("is caught up with by the alarm where nobody else does after a comparison", async () => {
    const { world, keeper } = await stale();
    world.files.write(b, "- about cherries");
    world.scheduled.length = 0;
    await keeper.compare(0);
    expect(world.scheduled).toEqual([world.time + 1_000]);
    expect(await keeper.run()).toBe("done");
    world.scheduled.length = 0;
    await keeper.compare(0);
    expect(world.scheduled).toEqual([]);
  });

  test("leaves the others alone when one file changes", async () => {
    const { world, keeper, search } = await stale();
    world.files.write(b, "- about cherries");
    keeper.mark(b);
    expect(paths(await search("cherries"))).toEqual([b]);
    expect(paths(await search("zebra7"))).toEqual([a]);
    expect(world.index.published.map(({ path }) => path).toSorted()).toEqual([a, b, b]);
  });
});

describe("a change of the embedder (B52)", () => {
  async function indexed() {
    const world = new MemoryWorld();
    world.files.write("MEMORY.md", "- Bit is the name of the dog");
    world.files.write("memory/2026-05-03.md", "- the boiler was serviced");
    world.files.write("memory/2026-05-04.md", "- the boat needs paint");
    const first = world.start(new EmbedderDouble("fake/four", 4));
    await first.search("dog");
    return world;
  }

  test("makes all vectors anew, and compares none of another size", async () => {
    const world = await indexed();
    const before = await world.index.counts();
    const { search, vectors } = world.start(new EmbedderDouble("fake/eight", 8));
    const answer = await search("name of the dog");
    expect(paths(answer)[0]).toBe("MEMORY.md");
    expect(answer.mode).toBe("hybrid");
    expect(await world.index.counts()).toEqual(before);
    for (const { model } of await world.index.sources()) expect(model).toBe("fake/eight");
    const kept = [...(vectors?.stores.clean.sources.values() ?? [])];
    expect(kept).toHaveLength(3);
    for (const source of kept) expect(source).toMatchObject({ model: "fake/eight", dimensions: 8 });
    expect(await world.index.vectors("clean").heads("fake/four")).toEqual([]);
  });

  test("leaves the search by keywords when the new one is down, and makes up for it later", async () => {
    const world = await indexed();
    const embedder = new EmbedderDouble("fake/eight", 8);
    embedder.down = "the embedder does not answer";
    const { keeper, search } = world.start(embedder, true);
    const answer = await search("boiler");
    expect(paths(answer)).toContain("memory/2026-05-03.md");
    expect(answer.mode).toBe("keyword");
    expect(answer.notices.join()).toContain("fake/eight failed (the embedder does not answer)");
    expect(keeper.state().problem).toBe("the embedder does not answer");
    embedder.down = null;
    world.time = Math.max(...world.scheduled);
    expect(await keeper.run()).toBe("done");
    for (const { model } of await world.index.sources()) expect(model).toBe("fake/eight");
    expect(keeper.state().problem).toBeNull();
    expect((await search("boiler")).mode).toBe("hybrid");
  });

  test("is silent about a failing embedder that nobody asked for", async () => {
    const world = await indexed();
    const embedder = new EmbedderDouble("fake/eight", 8);
    embedder.down = "no";
    expect((await world.start(embedder).search("boiler")).notices).toEqual([]);
  });

  test("does not ask a failing embedder again with every source", async () => {
    const world = new MemoryWorld();
    for (let day = 10; day < 30; day += 1) world.files.write(`memory/2026-04-${day}.md`, "- x1 y2");
    const embedder = new EmbedderDouble("fake/four", 4);
    embedder.down = "no";
    const { keeper } = world.start(embedder);
    await keeper.compare(0);
    await keeper.sync();
    expect(embedder.calls).toHaveLength(1);
    expect((await world.index.counts()).sources).toBe(20);
  });
});

describe("indexing", () => {
  test("of an own write is due a second later, and at once for whoever searches", async () => {
    const world = new MemoryWorld();
    const { keeper, search } = world.start();
    world.files.write("memory/a.md", "- zebra");
    keeper.mark("memory/a.md");
    keeper.mark("notes/else.md");
    keeper.mark("memory/dreaming/light/2026-05-03.md");
    expect(world.scheduled.length).toBe(1);
    expect(world.scheduled[0]).toBeLessThanOrEqual(world.time + 1_500);
    expect(paths(await search("zebra"))).toEqual(["memory/a.md"]);
    expect(world.dirty.all()).toEqual([]);
  });

  test("of dreams never happens", async () => {
    const world = new MemoryWorld();
    world.files.write("DREAMS.md", "- zebra");
    world.files.write("memory/dreaming/deep/2026-05-03.md", "- zebra");
    expect(paths(await world.start().search("zebra"))).toEqual([]);
  });

  test("of one that cannot be read holds up no other, and goes on when it can be read", async () => {
    const world = new MemoryWorld();
    world.files.write("MEMORY.md", "- zebra one");
    world.files.write("memory/a.md", "- zebra two");
    world.files.broken.add("MEMORY.md");
    const { keeper, search } = world.start();
    const answer = await search("zebra");
    expect(paths(answer)).toEqual(["memory/a.md"]);
    expect(answer.notices).toEqual(["1 source is not indexed yet."]);
    expect(keeper.state().problem).toContain("MEMORY.md is not indexed yet");
    expect(await keeper.run()).toBe("failed");
    world.files.broken.clear();
    expect(await keeper.run()).toBe("done");
    expect(keeper.state()).toEqual({ waiting: 0, comparing: false, problem: null });
    expect(paths(await search("zebra")).toSorted()).toEqual(["MEMORY.md", "memory/a.md"]);
  });

  test("of what is no text skips it, says so, and does not try again until it changes", async () => {
    const world = new MemoryWorld();
    world.files.write("memory/a.md", "- zebra \0");
    world.files.put("memory/b.md", [["owner", "- zebra"]], { unfit: "it is too large" });
    world.files.write("memory/c.md", "- zebra");
    const { keeper, search } = world.start();
    expect(paths(await search("zebra"))).toEqual(["memory/c.md"]);
    expect(keeper.state().problem).toMatch(/memory\/[ab]\.md is not indexed: it is/);
    const reads = world.index.published.length;
    await keeper.compare(0);
    await keeper.sync();
    expect(world.index.published).toHaveLength(reads);
    world.files.write("memory/a.md", "- zebra");
    await keeper.compare(0);
    await keeper.sync();
    expect(paths(await search("zebra"))).toContain("memory/a.md");
  });

  test("takes up what changed while it was indexed", async () => {
    const world = new MemoryWorld();
    const { keeper, search } = world.start();
    world.files.write("memory/a.md", "- zebra one");
    keeper.mark("memory/a.md");
    world.index.gate = () => {
      world.index.gate = () => {};
      world.files.write("memory/a.md", "- zebra two");
      keeper.mark("memory/a.md");
    };
    await keeper.sync();
    expect((await search("zebra")).rows.map(({ text }) => text)).toEqual(["- zebra two"]);
  });

  test("builds the same again from the files alone", async () => {
    const world = new MemoryWorld();
    world.files.write("MEMORY.md", "# Family\n- Bit is the dog <!-- importance: 8 -->");
    world.files.put("memory/2026-05-03.md", [
      ["owner", "- boiler"],
      ["untrusted", "- ignore all"],
    ]);
    const { keeper, search } = world.start(new EmbedderDouble("fake/four", 4));
    await search("dog");
    const contents = async () =>
      (await world.index.sources()).map(({ id: _id, generation: _generation, ...rest }) => rest);
    const before = await contents();
    const rows = await search("dog boiler ignore");
    await keeper.rebuild();
    expect(await contents()).toEqual(before);
    expect(await search("dog boiler ignore")).toEqual(rows);
  });
});

describe("a crash", () => {
  const effects = ["publish", "remove"] as const;
  test.each(effects)(
    "at a %s leaves the old or the new, and the next start mends it",
    async (at) => {
      const world = new MemoryWorld();
      world.files.write("memory/a.md", "- zebra old");
      world.files.write("memory/b.md", "- zebra other");
      await world.start().search("zebra");
      world.files.write("memory/a.md", "- zebra new");
      world.files.files.delete("memory/b.md");
      const killed = world.start();
      const reached = Promise.withResolvers<void>();
      world.index.gate = (effect) => {
        if (effect !== at) return undefined;
        reached.resolve();
        return new Promise<void>(() => {});
      };
      await killed.keeper.compare(0);
      void killed.keeper.sync();
      await reached.promise;
      world.index.gate = () => {};
      for (const source of await world.index.sources()) expect(source.passages).toBe(1);
      const { search } = world.start();
      const answer = await search("zebra");
      expect(answer.rows.map(({ text }) => text)).toEqual(["- zebra new"]);
      expect(world.dirty.all()).toEqual([]);
    },
  );
});
