import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { extensions } from "#ext/index.ts";
import { namedExtensions } from "#test/tools/architecture.ts";
import { sourceFiles } from "#test/tools/source-files.ts";

/**
 * The product knows channels, providers and embedders by what they declare, never by their names. Vector
 * stores are named by a setting and by the port to their platform.
 */
const nameless: readonly string[] = ["tools", "vector-store"];
const ids = [
  ...new Set(extensions.flatMap(({ kind, id }) => (nameless.includes(kind) ? [] : [id]))),
];

test.each([
  ["src/core/turn/a.ts", 'if (route.channel === "telegram") return;'],
  ["src/wiring/a.ts", "const BOUND = 'workers-ai';"],
  ["src/wiring/a.ts", 'return bundled ?? "demo/demo";'],
  ["src/core/a.ts", "const text = `write e.g. slack:<your id> // ${x}`;"],
  ["src/core/a.ts", 'const kind = { kind: "api" };'],
  ["durable-objects/a.ts", 'const at = "https://x"; provider = openai;'],
])("a name is found in %s: %s", (path, source) => {
  expect(namedExtensions(path, source, ids)).toHaveLength(1);
});

test.each([
  ["src/core/a.ts", "// as telegram does\n/** or\n * slack */\nexport const x = 1;"],
  ["src/core/a.ts", 'const author = { name: "API" };'],
  ["src/core/routing/session-key.ts", 'const scope = { kind: "api" };'],
  ["extensions/telegram/index.ts", 'const id = "telegram";'],
  ["src/kit/secret-shape.ts", 'const shape = "hooks.slack.com";'],
])("none is found in %s: %s", (path, source) => {
  expect(namedExtensions(path, source, ids)).toEqual([]);
});

test("core, contract, platform, wiring and the objects name no channel and no provider", () => {
  expect(ids).toEqual(expect.arrayContaining(["telegram", "slack", "workers-ai", "demo"]));
  const found = sourceFiles(".").flatMap((path) =>
    namedExtensions(path, readFileSync(path, "utf8"), ids),
  );
  expect(found).toEqual([]);
});
