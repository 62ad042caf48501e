import { describe, expect, test } from "vitest";
import { EmbedderDouble, MemoryWorld } from "#test/doubles/memory-world.ts";

/** A model that reads each text by itself. */
class PaidEmbedder extends EmbedderDouble {
  override readonly fusion = { weight: 1, floor: 0.3, previous: 0, next: 0 };

  texts(): string[] {
    return this.calls.splice(0).flat();
  }
}

const path = "memory/2026-05-04.md";

describe("a note that grows", () => {
  async function indexed() {
    const world = new MemoryWorld();
    world.files.put(path, [
      ["agent", "- the boiler was serviced"],
      ["untrusted", "- the boat needs paint"],
    ]);
    const embedder = new PaidEmbedder("fake/eight", 8);
    const running = world.start(embedder);
    await running.keeper.rebuild();
    expect(embedder.texts()).toHaveLength(2);
    return { world, embedder, ...running };
  }

  test("has only its new lines embedded, and the vectors it would have anew", async () => {
    const { world, embedder, keeper, vectors } = await indexed();
    world.files.put(path, [
      ["agent", "- the roof leaks"],
      ["agent", "- the boiler was serviced"],
      ["untrusted", "- the boat needs paint"],
    ]);
    keeper.mark(path);
    await keeper.sync();
    expect(embedder.texts()).toEqual(["the roof leaks"]);
    const rows = () => [...(vectors?.stores.clean.sources.values() ?? [])].map(({ data }) => data);
    const grown = rows();
    await keeper.rebuild();
    expect(embedder.texts()).toHaveLength(3);
    expect(grown).toEqual(rows());
  });

  test("does not lend the vector of an outside line to a clean one", async () => {
    const { world, embedder, keeper } = await indexed();
    world.files.put(path, [
      ["agent", "- the boiler was serviced"],
      ["agent", "- the boat needs paint"],
    ]);
    keeper.mark(path);
    await keeper.sync();
    expect(embedder.texts()).toEqual(["the boat needs paint"]);
  });

  test("is embedded as a whole by another model", async () => {
    const { world } = await indexed();
    const other = new PaidEmbedder("fake/sixteen", 16);
    const { keeper } = world.start(other);
    await keeper.compare(0);
    await keeper.sync();
    expect(other.texts()).toHaveLength(2);
  });

  test("is embedded as a whole where a vector means its neighbours, too", async () => {
    const { world } = await indexed();
    const mixing = new EmbedderDouble("fake/eight", 8);
    world.files.put(path, [
      ["agent", "- the roof leaks"],
      ["agent", "- the boiler was serviced"],
    ]);
    const { keeper } = world.start(mixing);
    keeper.mark(path);
    await keeper.sync();
    expect(mixing.calls.flat()).toHaveLength(2);
  });
});
