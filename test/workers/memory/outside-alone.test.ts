import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { search } from "#core/memory/search.ts";
import { createMemoryIndex } from "#platform/d1/memory-index.ts";
import { sourceFrom, type Line } from "#test/contract/memory-source.ts";

test("the one text from outside is found by its own words, among clean ones with a word of them each", async () => {
  const index = createMemoryIndex(env.DB, `a-${crypto.randomUUID()}`);
  const lines = Array.from({ length: 300 }, (_, at): Line => [
    "agent",
    `- room ${at} of the house has a ${at === 150 ? "drawer" : "shelf"} for letters`,
  ]);
  await index.publish(sourceFrom("memory/2026-05-03.md", lines));
  await index.publish(
    sourceFrom("memory/2026-05-04.md", [
      ["untrusted", "- the router password is in the drawer at the station"],
    ]),
  );
  const report = { info() {}, warn() {}, error() {} };
  const ports = { index, vectors: null, today: () => "2026-05-05", report };
  const asker = { sessionKey: "k", identity: null, counts: false };
  const { rows } = await search(ports, { text: "router password drawer station", asker });
  // The best of one's own comes first whatever it is worth; then what fits, from wherever.
  expect(rows.slice(0, 2).map(({ row: { path, trust } }) => [path, trust])).toEqual([
    ["memory/2026-05-03.md", "agent"],
    ["memory/2026-05-04.md", "untrusted"],
  ]);
});
