import { describe, expect, test } from "vitest";
import { vectorize } from "#ext/vectorize/index.ts";
import { VectorizeStore } from "#ext/vectorize/store.ts";
import { shortNamespace } from "#ext/vectorize/vector-id.ts";
import {
  expectExact,
  publish,
  remove,
  shape,
  sourceOf,
  startWorld,
  vectorOf,
  vectorStoreSuite,
} from "#test/contract/vector-store-suite.ts";
import { eventually } from "#test/harness/wait.ts";
import { VectorizeDouble } from "#test/doubles/vectorize-binding.ts";

function start(dimensions = shape.dimensions) {
  const world = startWorld();
  const index = new VectorizeDouble(dimensions);
  const ports = { ...world.ports, now: () => index.now };
  return {
    ...world,
    index,
    open: () => new VectorizeStore(shape, ports, index),
    settle: (steps?: number) => index.settle(steps),
  };
}

vectorStoreSuite("vectorize", start);

describe("Vectorize", () => {
  test("answers alone once it has caught up, also after a restart", async () => {
    const rig = start();
    const store = rig.open();
    for (let id = 1; id <= 3; id += 1) await publish(rig, store, sourceOf(id, 1));
    await expectExact(rig, store);
    expect(rig.packed.reads).toBeGreaterThan(0);
    rig.settle();
    await expectExact(rig, store);
    rig.packed.reads = 0;
    await expectExact(rig, store, 2);
    await expectExact(rig, rig.open(), 3);
    expect(rig.packed.reads).toBe(0);
  });

  test("is caught up with what it shows, and waited for with the rest", async () => {
    const rig = start();
    const store = rig.open();
    await publish(rig, store, sourceOf(1, 1));
    await publish(rig, store, sourceOf(2, 1));
    rig.settle(1);
    rig.packed.reads = 0;
    await expectExact(rig, store);
    expect(rig.packed.reads).toBe(1);
  });

  test("proves by its clock what a change of somebody else follows, with room for clocks that differ", async () => {
    const rig = start();
    const store = rig.open();
    await publish(rig, store, sourceOf(1, 1));
    const other = { id: "99.1.1", namespace: "other", values: [...vectorOf(1)] };
    await rig.index.upsert([other]);
    rig.settle();
    await expectExact(rig, rig.open());
    rig.packed.reads = 0;
    await expectExact(rig, rig.open());
    expect(rig.packed.reads).toBe(1);
    rig.index.now += 10_000;
    await rig.index.upsert([other]);
    rig.settle();
    rig.packed.reads = 0;
    await expectExact(rig, rig.open());
    expect(rig.packed.reads).toBe(0);
  });

  test("keeps nothing of older generations and of what is gone", async () => {
    const rig = start();
    const store = rig.open();
    await publish(rig, store, sourceOf(1, 1));
    await publish(rig, store, sourceOf(1, 2, { positions: [0, 1] }));
    await publish(rig, store, sourceOf(2, 1));
    await remove(rig, store, 2);
    rig.settle();
    expect(rig.index.seen).toEqual(["1.2.0", "1.2.1"]);
    expect([...rig.notes.texts.keys()]).toEqual([1]);
  });

  test.each([
    ["before the first is sent", false],
    ["while the first is sent", true],
  ])("does not mix up generations of which one comes %s", async (_when, isTaken) => {
    const rig = start();
    const store = rig.open();
    const gate = Promise.withResolvers<void>();
    rig.index.gate = () => gate.promise;
    const first = publish(rig, store, sourceOf(1, 1));
    if (isTaken) await eventually(() => rig.index.calls.includes("upsert"));
    const second = publish(rig, store, sourceOf(1, 2, { positions: [0, 1, 2, 4] }));
    gate.resolve();
    await Promise.all([first, second]);
    for (let change = 1; change <= 4; change += 1) {
      rig.settle(1);
      await expectExact(rig, store);
      await expectExact(rig, rig.open());
    }
    expect(rig.index.seen).toEqual(["1.2.0", "1.2.1", "1.2.2", "1.2.4"]);
  });

  test("does not take what proves one generation for the next, which could not be sent", async () => {
    const rig = start();
    const store = rig.open();
    const gate = Promise.withResolvers<void>();
    rig.index.gate = () => gate.promise;
    const first = publish(rig, store, sourceOf(1, 1));
    await eventually(() => rig.index.calls.includes("upsert"));
    rig.index.failing = ["upsert"];
    const second = publish(rig, store, sourceOf(1, 2));
    gate.resolve();
    await Promise.all([first, second]);
    rig.settle();
    await expectExact(rig, store);
  });

  test("is rid of what disappeared without its knowledge, with the next change", async () => {
    const rig = start();
    for (const id of [1, 2]) await publish(rig, rig.open(), sourceOf(id, 1));
    rig.packed.sources.delete(2);
    const store = rig.open();
    await expectExact(rig, store);
    await publish(rig, store, sourceOf(1, 2, { positions: [0] }));
    rig.settle();
    expect(rig.index.seen).toEqual(["1.2.0"]);
  });

  test("takes a thousand vectors a call, and a hundred ids", async () => {
    const rig = start();
    const store = rig.open();
    const positions = Array.from({ length: 2_500 }, (_none, index) => index);
    await publish(rig, store, sourceOf(1, 1, { positions }));
    rig.settle();
    expect(rig.index.seen).toHaveLength(2_500);
    await expectExact(rig, store);
    await publish(rig, store, sourceOf(1, 2));
    rig.settle();
    expect(rig.index.seen).toEqual(["1.2.0", "1.2.1", "1.2.3"]);
  });

  test("does not let what is out of date take the place of what is asked for", async () => {
    const rig = start();
    const store = rig.open();
    const positions = Array.from({ length: 150 }, (_none, index) => index);
    await publish(rig, store, sourceOf(1, 1, { positions }));
    await publish(rig, store, sourceOf(2, 1));
    rig.settle();
    rig.index.failing = ["deleteByIds"];
    await publish(rig, store, sourceOf(1, 2, { positions: [0] }));
    rig.settle();
    await expectExact(rig, store);
  });

  test.each([["describe"], ["query"], ["upsert"], ["deleteByIds"]] as const)(
    "that fails at %s is done without, and used again when it is back",
    async (method) => {
      const rig = start();
      const store = rig.open();
      await publish(rig, store, sourceOf(1, 1));
      rig.settle();
      await publish(rig, store, sourceOf(2, 1));
      rig.index.failing = [method];
      await publish(rig, store, sourceOf(1, 2));
      await expectExact(rig, store);
      expect(rig.logs.join("\n")).toMatch(/vectorize\.(failed|behind).*internal/);
      rig.index.failing = [];
      await publish(rig, store, sourceOf(3, 1));
      rig.settle();
      await expectExact(rig, store);
      rig.packed.reads = 0;
      await expectExact(rig, store, 2);
      expect(rig.packed.reads).toBe(0);
      expect(rig.index.seen.filter((id) => id.startsWith("1.1."))).toEqual([]);
    },
  );

  test("gets what was there before it, with the changes that come", async () => {
    const rig = start();
    for (let id = 1; id <= 120; id += 1) rig.packed.sources.set(id, sourceOf(id, 1));
    const store = rig.open();
    await expectExact(rig, store);
    for (let round = 2; round <= 5; round += 1) await publish(rig, store, sourceOf(500, round));
    rig.settle();
    expect(rig.index.seen.filter((id) => !id.startsWith("500."))).toHaveLength(360);
    await expectExact(rig, store);
  });

  test("that was made anew is filled again", async () => {
    const rig = start();
    const store = rig.open();
    await publish(rig, store, sourceOf(1, 1));
    rig.settle();
    await expectExact(rig, store);
    rig.index.recreate();
    const next = rig.open();
    await expectExact(rig, next);
    await publish(rig, next, sourceOf(2, 1));
    rig.settle();
    expect(rig.index.seen).toHaveLength(6);
    await expectExact(rig, next);
  });

  test("of another number of dimensions is done without, and the log says so", async () => {
    const rig = start(4);
    const store = rig.open();
    await publish(rig, store, sourceOf(1, 1));
    await expectExact(rig, store);
    expect(rig.logs.join("\n")).toContain('"wanted":8,"there":4');
  });

  test("shows each agent its own", async () => {
    const rig = start();
    const entries = Array.from({ length: 150 }, (_none, index) => ({
      id: `99.1.${index}`,
      namespace: "other",
      values: [...vectorOf(1)],
    }));
    await rig.index.upsert(entries);
    await publish(rig, rig.open(), sourceOf(1, 1));
    rig.settle();
    await expectExact(rig, rig.open());
    rig.packed.reads = 0;
    await expectExact(rig, rig.open());
    expect(rig.packed.reads).toBe(0);
  });

  test("has names of 64 bytes at most, that stay apart", async () => {
    const long = "a".repeat(64);
    const names = [long, `${long}:clean`, `${long}:outside`, "é".repeat(40)].map(shortNamespace);
    expect(new Set(names).size).toBe(4);
    expect(names[0]).toBe(long);
    for (const name of names) expect(Buffer.byteLength(name)).toBeLessThanOrEqual(64);
  });

  test("forgets a note that nobody can read, and nothing else", async () => {
    const rig = start();
    await publish(rig, rig.open(), sourceOf(1, 1));
    rig.settle();
    rig.notes.texts.set(1, "{");
    const store = rig.open();
    await expectExact(rig, store);
    await publish(rig, store, sourceOf(2, 1));
    rig.settle();
    await expectExact(rig, store);
  });
});

test("Vectorize is unfit without its binding, and for vectors that are too long", () => {
  const { ports } = startWorld();
  const bound = { ...ports, vectorize: new VectorizeDouble(8) };
  expect(vectorize.unfit?.(shape, ports)).toContain("[[vectorize]]");
  expect(vectorize.unfit?.({ model: "m", dimensions: 3072 }, bound)).toContain("1536");
  expect(vectorize.unfit?.(shape, bound)).toBeUndefined();
});
