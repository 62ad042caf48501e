import { describe, expect, test } from "vitest";
import type { MemoryIndex, NewSource, NewVectors } from "#contract/memory-index.ts";
import { sourceFrom } from "./memory-source.ts";

/** What vector stores rely on; part of the suite of memory indexes. */
const note = "memory/2026-05-03.md";

export function vectors(
  model: string,
  clean: readonly number[],
  outside: readonly number[],
): NewVectors {
  const rows = (positions: readonly number[]) => ({
    positions,
    data: Int8Array.from(positions.flatMap((position) => [position + 1, -127])),
  });
  return { model, dimensions: 2, clean: rows(clean), outside: rows(outside) };
}

export function vectorLaws(
  name: string,
  rig: (act: (index: MemoryIndex) => Promise<void>) => Promise<void>,
): void {
  const check = (act: (index: MemoryIndex) => Promise<void>) => () => rig(act);
  describe(`${name}: vectors`, () => {
    test(
      "come with their source, each part by itself, and only of the model asked for",
      check(async (index) => {
        const source: NewSource = {
          ...sourceFrom(note, [
            ["owner", "a1"],
            ["owner", "b2"],
            ["untrusted", "c3"],
          ]),
          vectors: vectors("m1", [0, 1], [0]),
        };
        const { id, generation } = await index.publish(source);
        const shape = { generation, model: "m1", dimensions: 2 };
        expect(await index.vectors("clean").of("m1", [id])).toEqual([
          { ...shape, sourceId: id, positions: [0, 1], data: Int8Array.of(1, -127, 2, -127) },
        ]);
        expect(await index.vectors("outside").of("m1", [-id])).toEqual([
          { ...shape, sourceId: -id, positions: [0], data: Int8Array.of(1, -127) },
        ]);
        expect(await index.vectors("clean").of("m2", [id])).toEqual([]);
        expect((await index.source(note))?.model).toBe("m1");
        await index.publish({ ...source, vectors: null });
        expect(await index.vectors("clean").heads("m1")).toEqual([]);
        expect((await index.source(note))?.model).toBeNull();
      }),
    );

    test(
      "of all sources come one after another, also of more than fit a row",
      check(async (index) => {
        const many = Array.from({ length: 2_300 }, (_, at) => at);
        const big = sourceFrom("memory/big.md", [["owner", "x1"]]);
        await index.publish({ ...big, vectors: vectors("m", many, []) });
        await index.publish({
          ...sourceFrom(note, [["owner", "x1"]]),
          vectors: vectors("m", [0], []),
        });
        const found: number[] = [];
        for await (const source of index.vectors("clean").all("m")) {
          expect(source.data).toHaveLength(source.positions.length * 2);
          found.push(source.positions.length);
        }
        expect(found.toSorted((a, b) => a - b)).toEqual([1, 2_300]);
      }),
    );
  });
}
