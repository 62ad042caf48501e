import { describe, expect, test } from "vitest";
import type { MemoryIndex, Recall, Scope } from "#contract/memory-index.ts";
import { memoryKinds } from "#contract/memory.ts";
import { vectors, vectorLaws } from "./memory-index-vectors.ts";
import { sourceFrom, type Line } from "./memory-source.ts";

/** What search and upkeep rely on, of the index in D1 and of the one in memory alike. */
export interface MemoryIndexRig {
  readonly name: string;
  /** Fresh indexes of as many agents, which share what they are kept in. */
  with(act: (index: MemoryIndex, other: MemoryIndex) => Promise<void>): Promise<void>;
}

const all: Scope = { kinds: memoryKinds, identity: null };
const note = "memory/2026-05-03.md";

export function memoryIndexSuite(rig: MemoryIndexRig): void {
  const check = (act: (index: MemoryIndex, other: MemoryIndex) => Promise<void>) => () =>
    rig.with(act);
  const texts = async (index: MemoryIndex, term: string, more: { scope?: Scope } = {}) => {
    const query = { part: "clean", scope: all, terms: [term], limit: 10, ...more } as const;
    return (await index.match(query)).map(({ text }) => text);
  };

  describe(`${rig.name}: passages`, () => {
    test(
      "are found by their words, the best first, with all that is known of them",
      check(async (index) => {
        await index.publish(
          sourceFrom(note, [
            ["owner", "- Bit is Ada's dog <!-- importance: 7 --> <!-- project: home -->"],
            ["agent", "- the boiler was serviced"],
          ]),
        );
        const [first, second] = await index.match({
          part: "clean",
          scope: all,
          limit: 10,
          terms: ["dogs"],
        });
        expect(first).toMatchObject({
          path: note,
          kind: "note",
          date: "2026-05-03",
          identity: null,
          part: "clean",
          line: 1,
          position: 0,
          trust: "owner",
          text: "- Bit is Ada's dog",
          importance: 7,
          projects: ["home"],
          superseded: false,
        });
        expect(second).toMatchObject({ line: 2, position: 1, trust: "agent" });
        expect(first?.score).toBeGreaterThan(second?.score ?? 0);
      }),
    );

    test(
      "of outside lines are in a table of their own",
      check(async (index) => {
        await index.publish(
          sourceFrom(note, [
            ["owner", "- zebra one"],
            ["untrusted", "- zebra two"],
            ["system", "- zebra three"],
          ]),
        );
        expect(await texts(index, "zebra")).toEqual(["- zebra one"]);
        const outside = await index.match({
          part: "outside",
          scope: all,
          terms: ["zebra"],
          limit: 10,
        });
        expect(outside.map(({ text }) => text).toSorted()).toEqual([
          "- zebra three",
          "- zebra two",
        ]);
      }),
    );

    test(
      "of another agent are not seen, nor counted, nor removed",
      check(async (index, other) => {
        await index.publish(sourceFrom(note, [["owner", "- zebra here"]]));
        await other.publish(sourceFrom(note, [["owner", "- zebra there"]]));
        expect(await texts(index, "zebra")).toEqual(["- zebra here"]);
        expect(await index.counts()).toEqual({ sources: 1, passages: 1 });
        const [theirs] = await other.sources();
        const span = { sourceId: theirs?.id ?? 0, first: 0, last: 9 };
        expect(await other.passages("clean", [span])).toHaveLength(1);
        expect(await index.passages("clean", [span])).toEqual([]);
        await index.clear();
        expect(await index.sources()).toEqual([]);
        expect(await texts(other, "zebra")).toEqual(["- zebra there"]);
      }),
    );

    test(
      "are of sources that are listed as a whole or by a stretch of their paths",
      check(async (index) => {
        for (const name of ["a", "b", "c"])
          await index.publish(sourceFrom(`memory/${name}.md`, [["owner", "- zebra"]]));
        const within = async (after: string, upTo: string | null) =>
          (await index.sources({ after, upTo })).map(({ path }) => path[7]).join("");
        expect(await within("memory/a.md", "memory/b.md")).toBe("b");
        expect(await within("memory/a.png", null)).toBe("bc");
      }),
    );

    test(
      "of conversations are seen by the same person only",
      check(async (index) => {
        await index.publish(
          sourceFrom("sessions/k/2026-05-03.md", [["owner", "[10:00] owner: zebra"]], "ada"),
        );
        const scope = (identity: string | null) => ({ scope: { ...all, identity } });
        expect(await texts(index, "zebra", scope("ada"))).toHaveLength(1);
        expect(await texts(index, "zebra", scope("eve"))).toEqual([]);
        expect(await texts(index, "zebra", scope(null))).toEqual([]);
        const notes: Scope = { kinds: ["note"], identity: "ada" };
        expect(await texts(index, "zebra", { scope: notes })).toEqual([]);
      }),
    );

    test(
      "are given by their places, so far as they exist",
      check(async (index) => {
        const lines = ["a1", "b2", "c3", "d4"].map((word): Line => ["owner", word]);
        const { id } = await index.publish(sourceFrom(note, lines));
        const spans = [
          { sourceId: id, first: 1, last: 2 },
          { sourceId: id, first: 3, last: 9 },
          { sourceId: id + 1_000, first: 0, last: 9 },
        ];
        const found = await index.passages("clean", spans);
        expect(found.map(({ text }) => text).toSorted()).toEqual(["b2", "c3", "d4"]);
        expect(await index.passages("outside", spans)).toEqual([]);
      }),
    );

    test(
      "of whatever text are found by any of it, and no term is an error",
      check(async (index) => {
        const line = `"quoted" col:val NEAR( * -x ^y {z} 'it''s' \u0000 \ud800 😀 日本`;
        await index.publish(sourceFrom(note, [["owner", line.replaceAll("\u0000", "")]]));
        for (const term of [
          '"',
          "col:val",
          "NEAR(",
          "*",
          "-x",
          "^y",
          "{z}",
          "'",
          "\u0000",
          "\ud800",
        ]) {
          await expect(
            index.match({ part: "clean", scope: all, terms: [term], limit: 5 }),
          ).resolves.toBeInstanceOf(Array);
        }
        expect(await texts(index, "col:val")).toHaveLength(1);
        expect(await texts(index, "日本")).toHaveLength(1);
      }),
    );
  });

  describe(`${rig.name}: sources`, () => {
    test(
      "are replaced as a whole, under the same id, in a new generation",
      check(async (index) => {
        const lines: Line[] = [
          ["owner", "- apple"],
          ["untrusted", "- plum"],
          ["owner", "- zebra7"],
        ];
        const first = await index.publish(sourceFrom(note, lines));
        const second = await index.publish(
          sourceFrom(note, [["agent", "- new"], ...lines.slice(0, 2)]),
        );
        expect(second.id).toBe(first.id);
        expect(second.generation).toBe(first.generation + 1);
        expect(await texts(index, "zebra7")).toEqual([]);
        expect(await texts(index, "plum")).toEqual([]);
        const [apple] = await index.match({
          part: "clean",
          scope: all,
          terms: ["apple"],
          limit: 1,
        });
        expect(apple).toMatchObject({ line: 2, position: 1 });
        expect(await index.counts()).toEqual({ sources: 1, passages: 3 });
        expect(await index.source(note)).toEqual(second);
      }),
    );

    test(
      "that change classes change sides",
      check(async (index) => {
        await index.publish(sourceFrom(note, [["owner", "- zebra"]]));
        await index.publish(sourceFrom(note, [["untrusted", "- zebra"]]));
        expect(await texts(index, "zebra")).toEqual([]);
        await index.publish(sourceFrom(note, [["agent", "- zebra"]]));
        expect(await texts(index, "zebra")).toEqual(["- zebra"]);
      }),
    );

    test(
      "that are removed leave nothing, and removing what is not there is no error",
      check(async (index) => {
        const published = await index.publish({
          ...sourceFrom(note, [["owner", "- zebra"]]),
          vectors: vectors("m", [0], []),
        });
        expect(await index.remove(note)).toEqual(published);
        expect(await index.remove(note)).toBeNull();
        expect(await texts(index, "zebra")).toEqual([]);
        expect(await index.vectors("clean").heads("m")).toEqual([]);
      }),
    );

    test(
      "keep their passages when only their version has a new name",
      check(async (index) => {
        const published = await index.publish(sourceFrom(note, [["owner", "- zebra"]]));
        await index.touch(note, "e2");
        expect(await index.source(note)).toEqual({ ...published, etag: "e2" });
        expect(await texts(index, "zebra")).toHaveLength(1);
      }),
    );

    test(
      "are found by path and by name, if they may be read",
      check(async (index) => {
        await index.publish(sourceFrom("memory/boat/Motor.md", [["owner", "x1"]]));
        await index.publish(sourceFrom("sessions/k/2026-05-03.md", [["owner", "x1"]], "ada"));
        const paths = async (name: string, identity: string | null = null) =>
          (await index.named([name], { ...all, identity })).map(({ path }) => path);
        expect(await paths("motor.md")).toEqual(["memory/boat/Motor.md"]);
        expect(await paths("memory/boat/Motor.md")).toEqual(["memory/boat/Motor.md"]);
        expect(await paths("otor.md")).toEqual([]);
        expect(await paths("2026-05-03.md")).toEqual([]);
        expect(await paths("2026-05-03.md", "ada")).toHaveLength(1);
      }),
    );
  });

  test(
    "are found by how a word begins, if that is asked for",
    check(async (index) => {
      await index.publish(sourceFrom("memory/a.md", [["owner", "allergic to peanuts"]]));
      const question = { part: "clean", scope: all, limit: 5 } as const;
      const found = async (beginning: string) =>
        (await index.match({ ...question, terms: [beginning], beginnings: true })).length;
      expect(await found("allerg")).toBe(1);
      expect(await found("peanu")).toBe(1);
      expect(await found("llerg")).toBe(0);
      expect(await index.match({ ...question, terms: ["aller"] })).toHaveLength(0);
    }),
  );
  describe(`${rig.name}: recalls`, () => {
    const recall = (lineHash: string, day: string): Recall => ({
      lineHash,
      day,
      queryHash: "q",
      path: note,
      score: 0.5,
      rank: 1,
      sessionKey: "agent:a:main",
      at: 1,
    });
    const left = async (index: MemoryIndex) =>
      (await index.recallsSince("2000-01-01", 10)).map(({ lineHash, day }) => `${lineHash} ${day}`);

    test(
      "are kept once per line, question and day, and go with their line or their day",
      check(async (index, other) => {
        const some = [
          recall("a", "2026-05-01"),
          recall("b", "2026-05-01"),
          recall("b", "2026-05-02"),
        ];
        await index.addRecalls(some);
        await index.addRecalls(some);
        await other.addRecalls(some);
        expect(await left(index)).toHaveLength(3);
        await index.removeRecalls(["a"]);
        expect(await left(index)).toEqual(["b 2026-05-02", "b 2026-05-01"]);
        await index.dropRecalls("2026-05-02");
        expect(await left(index)).toEqual(["b 2026-05-02"]);
        expect(await left(other)).toHaveLength(3);
      }),
    );
  });

  vectorLaws(rig.name, (act) => rig.with(act));
}
