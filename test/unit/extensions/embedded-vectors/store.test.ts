import { expect, test } from "vitest";
import { createEmbeddedStore, embeddedVectors } from "#ext/embedded-vectors/index.ts";
import {
  expectExact,
  publish,
  shape,
  sourceOf,
  startWorld,
  vectorOf,
  vectorStoreSuite,
} from "#test/contract/vector-store-suite.ts";

function start(maxBytes = 1_000_000) {
  const world = startWorld();
  const open = () => createEmbeddedStore(shape, world.ports, maxBytes);
  return { ...world, open, settle: () => {} };
}

vectorStoreSuite("embedded", start);

test("the rows are read once, when the first search comes", async () => {
  const rig = start();
  for (let id = 1; id <= 5; id += 1) rig.packed.sources.set(id, sourceOf(id, 1));
  const store = rig.open();
  await publish(rig, store, sourceOf(6, 1));
  expect(rig.packed.reads).toBe(0);
  await Promise.all([expectExact(rig, store), expectExact(rig, store, 2)]);
  await expectExact(rig, store, 3);
  expect(rig.packed.reads).toBe(6);
});

test("what does not fit into memory is not searched, said once, and scored by passage all the same", async () => {
  const rig = start(1_000);
  for (let id = 1; id <= 5; id += 1) rig.packed.sources.set(id, sourceOf(id, 1));
  const store = rig.open();
  expect(await store.nearest(vectorOf(1), 5)).toEqual([]);
  expect(await store.nearest(vectorOf(1), 5)).toEqual([]);
  expect(rig.logs.filter((line) => line.includes("vectors.too_large"))).toHaveLength(1);
  const [best] = rig.packed.nearest(vectorOf(1), 1);
  const found = await store.cosines(vectorOf(1), [best!]);
  expect(found[0]?.score).toBeCloseTo(best!.score, 4);
});

test("memory that fills up later is given back", async () => {
  const rig = start(1_000);
  const store = rig.open();
  await publish(rig, store, sourceOf(1, 1));
  await expectExact(rig, store);
  for (let id = 2; id <= 5; id += 1) await publish(rig, store, sourceOf(id, 1));
  expect(await store.nearest(vectorOf(1), 5)).toEqual([]);
  expect(rig.logs.filter((line) => line.includes("vectors.too_large"))).toHaveLength(1);
});

test("needs nothing to be set up", () => {
  expect(embeddedVectors.unfit?.(shape, startWorld().ports)).toBeUndefined();
  expect(embeddedVectors.create(shape, startWorld().ports)).toBeDefined();
});
