import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Scope } from "#contract/memory-index.ts";
import { memoryKinds } from "#contract/memory.ts";
import { queryTerms } from "#core/memory/keywords.ts";
import { eraseStep } from "#platform/d1/memory-erase.ts";
import { createMemoryIndex } from "#platform/d1/memory-index.ts";
import { memoryIndexSuite } from "#test/contract/memory-index-suite.ts";
import { sourceFrom, type Line } from "#test/contract/memory-source.ts";

memoryIndexSuite({
  name: "D1",
  with: (act) =>
    act(
      createMemoryIndex(env.DB, `a-${crypto.randomUUID()}`),
      createMemoryIndex(env.DB, `a-${crypto.randomUUID()}`),
    ),
});

const scope: Scope = { kinds: memoryKinds, identity: null };

test("words of what was removed are erased a few pages at a time, while others write", async () => {
  const secret = `q${crypto.randomUUID().replaceAll("-", "")}`;
  // A table leaves out how a word begins, where its neighbour begins alike, and how it ends.
  const inTables = async () => {
    const query = `SELECT COUNT(*) AS count FROM memory_clean_data WHERE instr(block, CAST(?1 AS BLOB)) > 0`;
    return (await env.DB.prepare(query).bind(secret.slice(8, -4)).first("count")) ?? 0;
  };
  const index = createMemoryIndex(env.DB, `a-${crypto.randomUUID()}`);
  const other = createMemoryIndex(env.DB, `a-${crypto.randomUUID()}`);
  const lines = Array.from({ length: 250 }, (_, at): Line => [
    "owner",
    `- ${at === 99 ? secret : at} ${crypto.randomUUID()} ${crypto.randomUUID()}`,
  ]);
  await index.publish(sourceFrom("memory/a.md", lines));
  await index.publish(sourceFrom("memory/a.md", lines.toSpliced(99, 1)));
  expect(await inTables()).toBeGreaterThan(0);
  let steps = 0;
  for (let cursor = await eraseStep(env.DB, null, 5); cursor !== null; steps += 1) {
    await other.publish(sourceFrom(`memory/${steps % 3}.md`, [["owner", `- zebra ${steps}`]]));
    cursor = await eraseStep(env.DB, cursor, 5);
  }
  expect(steps).toBeGreaterThan(5);
  expect(await inTables()).toBe(0);
  const [found] = await index.match({ part: "clean", scope, terms: ["249"], limit: 5 });
  expect(found?.text).toBe(lines[249]?.[1]);
});

test("no question of any characters is an error", async () => {
  const index = createMemoryIndex(env.DB, `a-${crypto.randomUUID()}`);
  const anything = fc.string({ unit: "binary", maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(anything, fc.array(anything, { minLength: 1 }), async (text, raw) => {
      const terms = queryTerms(text);
      await index.publish(sourceFrom("memory/a.md", [["owner", `${text} zebra`]]));
      const query = { part: "clean", scope, limit: 5 } as const;
      if (terms.length > 0) await index.match({ ...query, terms });
      await index.match({ ...query, terms: raw });
      expect(await index.match({ ...query, terms: ["zebra"] })).toHaveLength(1);
    }),
    { numRuns: 100 },
  );
});

test("a text is found by each of its terms, also where languages mix", async () => {
  const index = createMemoryIndex(env.DB, `a-${crypto.randomUUID()}`);
  const bits = [
    "nas-07",
    "订单A-17",
    "Straße",
    "naïve",
    "猫の名前",
    "Ａ１",
    "don't",
    "x_y",
    "กาแฟ",
    "v2.0",
  ];
  const text = fc.array(fc.constantFrom(...bits, " ", ", "), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(text, async (parts) => {
      const line = parts.join("");
      await index.publish(sourceFrom("memory/a.md", [["owner", `${line} zebra`]]));
      for (const term of queryTerms(line)) {
        const found = await index.match({ part: "clean", scope, terms: [term], limit: 5 });
        expect(found, term).toHaveLength(1);
      }
    }),
    { numRuns: 60 },
  );
});

test("of two writers at once one gives way, and nothing of it is left", async () => {
  const id = `a-${crypto.randomUUID()}`;
  const [one, two] = [createMemoryIndex(env.DB, id), createMemoryIndex(env.DB, id)];
  for (let round = 0; round < 5; round += 1) {
    const texts = [`- one ${round}`, `- two ${round}`];
    const outcomes = await Promise.allSettled([
      one.publish(sourceFrom("memory/a.md", [["owner", texts[0] ?? ""]])),
      two.publish(sourceFrom("memory/a.md", [["owner", texts[1] ?? ""]])),
    ]);
    expect(outcomes.some(({ status }) => status === "fulfilled")).toBe(true);
    const rows = await one.match({
      part: "clean",
      scope,
      terms: ["one", "two"],
      limit: 9,
    });
    expect(rows).toHaveLength(1);
    expect(await one.counts()).toEqual({ sources: 1, passages: 1 });
  }
});

test("one more line of a long note writes few rows", async () => {
  const index = createMemoryIndex(env.DB, `a-${crypto.randomUUID()}`);
  const lines = Array.from({ length: 300 }, (_, at): Line => [
    "agent",
    `- line ${at} of a long note, in which this and that is said about what happened that day`,
  ]);
  const ids = async (published: { id: number }) => {
    const query = env.DB.prepare("SELECT id FROM memory_passage WHERE source_id = ?");
    const { results } = await query.bind(published.id).all<{ id: number }>();
    return results.map(({ id }) => id);
  };
  const before = await ids(await index.publish(sourceFrom("memory/a.md", lines)));
  const after = await ids(
    await index.publish(sourceFrom("memory/a.md", [...lines, ["agent", "- the end"]])),
  );
  expect(after.filter((id) => !before.includes(id)).length).toBeLessThan(10);
});

test("what a search reads does not grow with what it does not find", async () => {
  const id = `a-${crypto.randomUUID()}`;
  const index = createMemoryIndex(env.DB, id);
  const lines = (word: string) =>
    Array.from({ length: 200 }, (_, at): Line => ["agent", `- ${word}${at} of a long note`]);
  const { id: first } = await index.publish(sourceFrom("memory/x0.md", lines("x0y")));
  let read = 0;
  const counting = createMemoryIndex(
    countingReads(env.DB, (rows) => (read += rows)),
    id,
  );
  const look = async () => {
    read = 0;
    await counting.passages("clean", [
      { sourceId: first, first: 10, last: 30 },
      { sourceId: first, first: 100, last: 120 },
    ]);
    await counting.match({ part: "clean", scope, terms: ["x0y7"], limit: 400 });
    return read;
  };
  const few = await look();
  for (let file = 1; file < 12; file += 1) {
    await index.publish(sourceFrom(`memory/x${file}.md`, lines(`x${file}y`)));
  }
  expect(await look()).toBeLessThan(few + 50);
});

function countingReads(database: D1Database, add: (rows: number) => void): D1Database {
  const counted = (statement: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(statement, {
      get(target, name) {
        if (name === "bind") return (...values: unknown[]) => counted(target.bind(...values));
        const value: unknown = Reflect.get(target, name);
        if (name !== "all") return typeof value === "function" ? value.bind(target) : value;
        return async () => {
          const result = await target.all();
          add(result.meta.rows_read);
          return result;
        };
      },
    });
  return new Proxy(database, {
    get(target, name) {
      if (name === "prepare") return (sql: string) => counted(target.prepare(sql));
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}
