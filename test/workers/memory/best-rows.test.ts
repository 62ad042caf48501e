import { env } from "cloudflare:workers";
import fc from "fast-check";
import { expect, test } from "vitest";
import { bestRows, scopeExpression, termList } from "#platform/d1/memory-words.ts";

const table = "best_rows";
const scope = "a61xnxq";

test("with fewer rows scored nothing scores otherwise, and what has an answer still has one", async () => {
  const word = fc.constantFrom("ant", "bee", "cat", "dog", "eel", "fox");
  const texts = fc.array(fc.array(word, { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 30,
  });
  const terms = fc.uniqueArray(word, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(texts, terms, async (rows, asked) => {
      await fill(rows.map((words) => words.join(" ")));
      const all = new Map((await ask(asked, { scored: 1_000, enough: 1 })).map(pair));
      const few = await ask(asked, { scored: 5, enough: 3 });
      for (const { id, score } of few) expect(score).toBeCloseTo(all.get(id) ?? Number.NaN, 9);
      expect(few.length > 0).toBe(all.size > 0);
    }),
    { numRuns: 60 },
  );
});

test("a common word brings up nothing beside a rare one that finds enough, and still counts for it", async () => {
  const others = Array.from({ length: 60 }, (_, at) => (at < 20 ? "common day" : "other day"));
  await fill([...others, "zebra day", "zebra common", "zebra other"]);
  const found = await ask(["common", "zebra"], { scored: 10, enough: 2 });
  expect(found.map(({ id }) => id)).toEqual([62, 61, 63]);
  expect(await ask(["common", "zebra"], { scored: 10, enough: 4 })).toHaveLength(23);
});

test("a word that nothing has does not keep the others from leading", async () => {
  await fill(Array.from({ length: 50 }, () => "common day"));
  expect(await ask(["nowhere", "common"], { scored: 10, enough: 2 })).toHaveLength(50);
});

async function fill(texts: readonly string[]): Promise<void> {
  await env.DB.batch([
    env.DB.prepare(`DROP TABLE IF EXISTS ${table}`),
    env.DB.prepare(
      `CREATE VIRTUAL TABLE ${table} USING fts5(self, before, after, scope, content='')`,
    ),
    env.DB.prepare(
      `INSERT INTO ${table} (rowid, self, before, after, scope)
       SELECT key + 1, value, '', '', ?2 FROM json_each(?1)`,
    ).bind(JSON.stringify(texts), scope),
  ]);
}

async function ask(terms: readonly string[], limits: { scored: number; enough: number }) {
  const { results } = await env.DB.prepare(bestRows(table, limits))
    .bind(termList({ terms }), scopeExpression([scope]), 100)
    .all<{ id: number; score: number }>();
  return results;
}

function pair({ id, score }: { id: number; score: number }): [number, number] {
  return [id, score];
}
