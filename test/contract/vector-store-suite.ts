import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ScoredVector, SourceVectors, VectorStore } from "#contract/vector-store.ts";
import { packRows } from "#kit/vector/packed.ts";
import { unitVector } from "#kit/vector/unit.ts";
import { testPorts } from "#test/contract/channel-rig.ts";
import { NotesDouble, PackedDouble } from "#test/doubles/packed-vectors.ts";

/** What every vector store has to keep, whatever lies behind it and however late that is. */
export const shape = { model: "test/eight", dimensions: 8 };

export interface VectorStoreRig {
  readonly packed: PackedDouble;
  readonly notes: NotesDouble;
  readonly logs: string[];
  /** A store as it is after a start: with what is durable, and nothing else. */
  open(): VectorStore;
  /** Lets what lies behind it catch up by some steps. */
  settle(steps?: number): void;
}

export function startWorld() {
  const logs: string[] = [];
  const packed = new PackedDouble();
  const notes = new NotesDouble();
  return { packed, notes, logs, ports: { ...testPorts(logs), namespace: "main", packed, notes } };
}

export function vectorOf(seed: number): Float32Array {
  const values = Array.from({ length: shape.dimensions }, (_none, index) =>
    Math.sin(seed * 12.9898 + index * 78.233),
  );
  return unitVector(values)!;
}

/** A source whose passages at these positions have vectors that depend on `seed`. */
export function sourceOf(
  sourceId: number,
  generation: number,
  { seed = generation, positions = [0, 1, 3] } = {},
): SourceVectors {
  const vectors = positions.map((position) => ({
    position,
    vector: vectorOf(sourceId * 1000 + seed * 17 + position),
  }));
  return { sourceId, generation, ...shape, ...packRows(vectors, shape.dimensions) };
}

/** As the index does it: D1 first, then the store. */
export async function publish(rig: VectorStoreRig, store: VectorStore, source: SourceVectors) {
  rig.packed.sources.set(source.sourceId, source);
  await store.publish(source);
}

export async function remove(rig: VectorStoreRig, store: VectorStore, sourceId: number) {
  rig.packed.sources.delete(sourceId);
  await store.remove(sourceId);
}

/** The same passages with the same scores; equal scores may stand in any order. */
export async function expectExact(rig: VectorStoreRig, store: VectorStore, seed = 1, limit = 5) {
  const query = vectorOf(seed);
  const found = await store.nearest(query, limit);
  const all = rig.packed.nearest(query, Infinity);
  const scoreOf = ({ sourceId, position }: ScoredVector) =>
    all.find((one) => one.sourceId === sourceId && one.position === position)?.score;
  expect(found.map(({ score }) => score.toFixed(4))).toEqual(
    all.slice(0, limit).map(({ score }) => score.toFixed(4)),
  );
  expect(found.map((one) => scoreOf(one)?.toFixed(4))).toEqual(
    found.map(({ score }) => score.toFixed(4)),
  );
  expect(new Set(found.map(({ sourceId, position }) => `${sourceId}.${position}`)).size).toBe(
    found.length,
  );
}

const step = fc.oneof(
  fc.record({
    kind: fc.constant("publish" as const),
    id: fc.integer({ min: 1, max: 4 }),
    positions: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 4 }),
  }),
  fc.record({ kind: fc.constant("remove" as const), id: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant("settle" as const), steps: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constant("restart" as const) }),
);

export function vectorStoreSuite(name: string, start: () => VectorStoreRig): void {
  describe(`${name}: a vector store`, () => {
    test("finds what a plain look at everything finds, after any history", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 14 }), async (steps) => {
          const rig = start();
          let store = rig.open();
          for (const [at, each] of steps.entries()) {
            if (each.kind === "publish") {
              const positions = each.positions.toSorted((one, other) => one - other);
              await publish(rig, store, sourceOf(each.id, at + 1, { positions }));
            } else if (each.kind === "remove") await remove(rig, store, each.id);
            else if (each.kind === "settle") rig.settle(each.steps);
            else store = rig.open();
            await expectExact(rig, store, at);
          }
        }),
        { numRuns: 60 },
      );
    });

    test("answers with the present generation only, before and after everything has settled", async () => {
      const rig = start();
      const store = rig.open();
      await publish(rig, store, sourceOf(1, 1));
      rig.settle();
      await expectExact(rig, store);
      await publish(rig, store, sourceOf(1, 2, { positions: [0] }));
      await expectExact(rig, store);
      rig.settle();
      await expectExact(rig, store);
      await remove(rig, store, 1);
      expect(await store.nearest(vectorOf(1), 5)).toEqual([]);
      expect(await rig.open().nearest(vectorOf(1), 5)).toEqual([]);
    });

    test("does not go back to a generation that is published late", async () => {
      const rig = start();
      const store = rig.open();
      await publish(rig, store, sourceOf(1, 2));
      await expectExact(rig, store);
      await store.publish(sourceOf(1, 1));
      rig.settle();
      await expectExact(rig, store);
    });

    test("is the same after a source was published twice", async () => {
      const rig = start();
      const store = rig.open();
      await publish(rig, store, sourceOf(1, 1));
      await publish(rig, store, sourceOf(1, 1));
      rig.settle();
      await publish(rig, rig.open(), sourceOf(1, 1));
      await expectExact(rig, store);
      await expectExact(rig, rig.open());
    });

    test("finds what was there before its first start", async () => {
      const rig = start();
      rig.packed.sources.set(1, sourceOf(1, 4));
      rig.packed.sources.set(2, sourceOf(2, 9));
      await expectExact(rig, rig.open());
    });

    test("goes by the rows after a crash that kept it from being told", async () => {
      const rig = start();
      const before = rig.open();
      for (const id of [1, 2]) await publish(rig, before, sourceOf(id, 1));
      rig.settle();
      await expectExact(rig, before);
      rig.packed.sources.set(1, sourceOf(1, 2, { positions: [0] }));
      rig.packed.sources.delete(2);
      rig.packed.sources.set(3, sourceOf(3, 1));
      const after = rig.open();
      await expectExact(rig, after);
      await after.publish(sourceOf(1, 2, { positions: [0] }));
      rig.settle();
      await expectExact(rig, after);
    });

    test("scores single passages exactly, and leaves out those without a vector", async () => {
      const rig = start();
      const store = rig.open();
      await publish(rig, store, sourceOf(1, 1));
      const keys = [3, 2, 0].map((position) => ({ sourceId: 1, position }));
      const query = vectorOf(7);
      for (const warm of [false, true]) {
        if (warm) await store.nearest(query, 1);
        const found = await store.cosines(query, [...keys, { sourceId: 9, position: 0 }]);
        const wanted = rig.packed.nearest(query, 9).filter(({ position }) => position !== 1);
        expect(new Map(found.map(({ position, score }) => [position, score.toFixed(4)]))).toEqual(
          new Map(wanted.map(({ position, score }) => [position, score.toFixed(4)])),
        );
      }
    });

    test("does not search vectors of another embedder, or ones that do not fit", async () => {
      const rig = start();
      const store = rig.open();
      await publish(rig, store, sourceOf(1, 1));
      await expectExact(rig, store);
      await store.publish({ ...sourceOf(1, 2), model: "test/other" });
      expect(await store.nearest(vectorOf(1), 5)).toEqual([]);
      await store.publish({ ...sourceOf(2, 3), data: new Int8Array(5) });
      expect(await store.nearest(vectorOf(1), 5)).toEqual([]);
      expect(await store.nearest(new Float32Array(3), 5)).toEqual([]);
    });

    test("takes the ids of any source, below zero too", async () => {
      const rig = start();
      const store = rig.open();
      await publish(rig, store, sourceOf(-7, 1));
      await publish(rig, store, sourceOf(7, 1));
      rig.settle();
      await expectExact(rig, store, 1, 6);
      await remove(rig, store, -7);
      await expectExact(rig, store, 1, 6);
    });

    test("keeps to the limit, down to nothing", async () => {
      const rig = start();
      const store = rig.open();
      await publish(rig, store, sourceOf(1, 1));
      expect(await store.nearest(vectorOf(1), 2)).toHaveLength(2);
      expect(await store.nearest(vectorOf(1), 0)).toEqual([]);
    });

    test("is empty, with a line in the log, while the rows cannot be read, and well afterwards", async () => {
      const rig = start();
      rig.packed.sources.set(1, sourceOf(1, 1));
      rig.packed.gate = () => Promise.reject(new Error("D1 is down"));
      const store = rig.open();
      expect(await store.nearest(vectorOf(1), 5)).toEqual([]);
      expect(await store.cosines(vectorOf(1), [{ sourceId: 1, position: 0 }])).toEqual([]);
      expect(rig.logs.join("\n")).toContain("D1 is down");
      rig.packed.gate = () => Promise.resolve();
      await expectExact(rig, store);
    });

    test("counts what is published or removed while it reads the rows", async () => {
      const rig = start();
      for (const id of [1, 2, 3]) rig.packed.sources.set(id, sourceOf(id, 1));
      const gate = Promise.withResolvers<void>();
      rig.packed.gate = () => gate.promise;
      const store = rig.open();
      const first = store.nearest(vectorOf(1), 5);
      const changes = [
        publish(rig, store, sourceOf(2, 2)),
        remove(rig, store, 3),
        publish(rig, store, sourceOf(4, 1)),
      ];
      gate.resolve();
      await Promise.all([first, ...changes]);
      await expectExact(rig, store, 1, 20);
    });
  });
}
