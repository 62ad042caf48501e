import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { idleLayers, importsOf, violations } from "#test/tools/architecture.ts";
import { sourceFiles } from "#test/tools/source-files.ts";

/**
 * The real tree against the layer table. The planted strings come first: a rule that cannot fail
 * proves nothing. The last group makes sure that the tree which was read is not an empty one. What
 * pure code may not touch is planted in purity.test.ts.
 */
const planted: ReadonlyArray<[path: string, source: string]> = [
  ["src/contract/a.ts", 'import { x } from "#kit/x.ts";'],
  ["src/contract/a.ts", 'import hono from "hono";'],
  ["src/kit/a.ts", 'import { x } from "#core/x.ts";'],
  ["src/kit/a.ts", 'import { env } from "cloudflare:workers";'],
  ["src/core/a.ts", 'import type { x } from "#platform/x.ts";'],
  ["src/core/a.ts", 'import {\n  x,\n  y,\n} from "#wiring/x.ts";'],
  ["src/core/a.ts", 'import "#ext/telegram/index.ts";'],
  ["src/core/a.ts", 'const x = await import("drizzle-orm");'],
  ["src/core/a.ts", 'type X = import("#do/session.ts").SessionDO;'],
  ["src/core/a.ts", 'import { readFile } from "node:fs";'],
  ["src/core/a.ts", 'import { x } from "../kit/x.ts";'],
  ["src/core/a.ts", 'import { x } from "./deep/../../platform/x.ts";'],
  ["src/core/a.ts", 'import { x } from "#contract/../platform/x.ts";'],
  ["src/core/a.ts", 'import { x } from "./x";'],
  ["src/core/a.ts", 'import { x } from "#kit/x";'],
  ["src/core/turn/a.ts", 'import { x } from "#core/session/x.ts";'],
  ["src/core/state/a.ts", 'import type { x } from "#core/delivery/x.ts";'],
  ["src/core/turn/a.ts", 'import { x } from "#core/turn/x.ts";'],
  ["src/core/stray/a.ts", 'import { x } from "#core/state/x.ts";'],
  ["src/core/index.ts", "export const x = 1;"],
  ["src/core/a.ts", 'export * from "./x.ts";'],
  ["src/core/a.ts", 'export { x } from "./x.ts";'],
  ["src/core/a.ts", "\n".repeat(301)],
  ["src/platform/a.ts", 'import { x } from "#core/x.ts";'],
  ["src/wiring/a.ts", 'import { x } from "#ext/telegram/send.ts";'],
  ["src/wiring/a.ts", 'import { x } from "#app/http.ts";'],
  ["src/app/a.ts", 'import { x } from "#platform/log.ts";'],
  ["src/app/a.ts", 'import { x } from "#do/session.ts";'],
  ["src/cli/a.ts", 'import { x } from "#core/x.ts";'],
  ["src/index.ts", 'import { x } from "#core/x.ts";'],
  ["src/stray/a.ts", "export const x = 1;"],
  ["durable-objects/a.ts", 'import { x } from "#platform/log.ts";'],
  ["durable-objects/a.ts", 'import { x } from "#app/http.ts";'],
  ["durable-objects/a.ts", "class A {\n  private async x() {}\n}"],
  ["durable-objects/a.ts", "class A {\n  static readonly protected x = 1;\n}"],
  ["extensions/a/index.ts", 'import { x } from "#ext/b/index.ts";'],
  ["extensions/a/index.ts", 'import { x } from "#core/x.ts";'],
  ["extensions/a/index.ts", 'import { x } from "hono/client";'],
  ["stray/a.ts", 'import { x } from "../src/core/x.ts";'],
  ["stray.ts", "export const x = 1;"],
  ["tools/a.mjs", 'import { x } from "#core/x.ts";'],
  ["tools/deep/a.mjs", 'import { readFile } from "node:fs";'],
  ["migrations/session/index.ts", 'import { x } from "#core/x.ts";'],
  ["migrations/session/a.ts", "export const x = 1;"],
  ["bench/a.ts", 'import { x } from "#platform/log.ts";'],
  ["test/harness/a.ts", 'import { x } from "#core/x.ts";'],
  ["test/unit/a.test.ts", 'import { x } from "../x.ts";'],
  ["test/unit/a.test.ts", "\n".repeat(301)],
];

const permitted: ReadonlyArray<[path: string, source: string]> = [
  ["src/contract/a.ts", 'import { z } from "zod";\nimport type { B } from "./b.ts";'],
  ["src/core/a.ts", 'import { b } from "#core/turn/b.ts";\nimport { c } from "#kit/c.ts";'],
  ["src/core/session/a.ts", 'import { b } from "#core/turn/b.ts";'],
  ["src/core/a.ts", "const then = new Date(now);\nexport const text = `import x from y`;"],
  ["src/platform/a.ts", 'import { eq } from "drizzle-orm";\nimport x from "cloudflare:workers";'],
  ["src/wiring/a.ts", 'import { extensions } from "#ext/index.ts";'],
  ["src/index.ts", 'export { SessionDO } from "#do/session.ts";'],
  ["durable-objects/a.ts", "class A {\n  #private = 1;\n}\n// private chats go here"],
  ["extensions/index.ts", 'import { a } from "./a/index.ts";'],
  ["extensions/a/index.ts", 'import { Bot } from "grammy";\nimport { b } from "#ext/a/b.ts";'],
  ["migrations/session/index.ts", 'import initial from "./0000_initial.sql";'],
  ["tools/a.mjs", 'import { readFile } from "node:fs/promises";'],
  ["test/unit/a.test.ts", 'import { x } from "#core/x.ts";'],
];

describe("the rules of structure", () => {
  test.each(planted)("refuse what is planted in %s: %s", (path, source) => {
    expect(violations(path, source)).toHaveLength(1);
  });

  test.each(permitted)("let pass what belongs in %s: %s", (path, source) => {
    expect(violations(path, source)).toEqual([]);
  });
});

describe("the tree", () => {
  const files = sourceFiles(".");

  test("keeps the rules of structure", () => {
    expect(files.flatMap((path) => violations(path, readFileSync(path, "utf8")))).toEqual([]);
  });

  test("is really read", () => {
    const read = (path: string) => importsOf(readFileSync(path, "utf8"));
    expect(files).toContain("src/contract/message.ts");
    expect(idleLayers(files)).toEqual([]);
    expect(files.length).toBeGreaterThan(500);
    expect(read("src/contract/channel.ts")).toContain("zod");
    expect(read("test/unit/architecture.test.ts")).toContain("#test/tools/architecture.ts");
  });
});
