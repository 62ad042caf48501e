import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { violations } from "#test/tools/architecture.ts";
import { sourceFiles } from "#test/tools/source-files.ts";

/**
 * Pure code has no clock, randomness, timer, network or platform. The linter refuses most of it by
 * name, the rules of structure the rest; here both are shown what they must refuse, in every pure
 * folder, with the settings that the tree itself is checked with.
 */
const pureFolders = ["contract", "kit", "core/turn"];

const impure = [
  'fetch("https://example.com")',
  'globalThis.fetch("https://example.com")',
  'self.fetch("https://example.com")',
  'globalThis["fetch"]',
  "new XMLHttpRequest()",
  'new EventSource("https://example.com")',
  'new WebSocket("wss://example.com")',
  'new BroadcastChannel("x")',
  "caches.default",
  "navigator.userAgent",
  "process.env",
  "Date.now()",
  'Date["now"]()',
  "[1].map(Date.now)",
  "Date()",
  "new Date()",
  "new Date",
  "[Date, 1]",
  "performance.now()",
  'new Intl.DateTimeFormat("en").format()',
  "Math.random()",
  "crypto.randomUUID()",
  "globalThis.crypto.randomUUID()",
  "crypto.getRandomValues(new Uint8Array(1))",
  "setTimeout(String, 1)",
  "setInterval(String, 1)",
  "queueMicrotask(() => undefined)",
  "AbortSignal.timeout(1)",
  "scheduler.wait(1)",
  "console.log(1)",
];

const pure = [
  "new Date(0).toISOString()",
  'new Intl.DateTimeFormat("en").format(0)',
  "AbortSignal.any([])",
  "new AbortController()",
  "Math.max(1, 2)",
  'crypto.subtle.digest("SHA-256", new Uint8Array(1))',
  'new URL("https://example.com")',
  "structuredClone({ fetch: 1, now: 2 })",
];

const place = mkdtempSync(join(tmpdir(), "pagurus-purity-"));
afterAll(() => rmSync(place, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(place, path)), { recursive: true });
  writeFileSync(join(place, path), text);
}

const sources = new Map<string, string>();
function plant(folder: string, list: readonly string[], name: string): void {
  for (const [index, expression] of list.entries()) {
    sources.set(`src/${folder}/${name}-${index}.ts`, `export const planted = ${expression};\n`);
  }
}

/** Paths of the planted files that the linter refuses as impure. */
function refusedByLinter(): Set<string> {
  const config: { options: object } = JSON.parse(readFileSync(".oxlintrc.json", "utf8"));
  // Rules that need types are not asked here, and would want a project.
  write(".oxlintrc.json", JSON.stringify({ ...config, options: {} }));
  for (const [path, source] of sources) write(path, source);
  const linter = resolve("node_modules/oxlint/bin/oxlint");
  const { stdout } = spawnSync(process.execPath, [linter, "--format", "json", "src"], {
    cwd: place,
    encoding: "utf8",
  });
  const report: { diagnostics: { code: string; filename: string }[]; number_of_files: number } =
    JSON.parse(stdout);
  expect(report.number_of_files).toBe(sources.size);
  const found = report.diagnostics.filter(({ code }) => /no-restricted-|no-console/.test(code));
  return new Set(found.map(({ filename }) => filename.replaceAll("\\", "/")));
}

describe("pure code", () => {
  for (const folder of pureFolders) {
    plant(folder, impure, "impure");
    plant(folder, pure, "pure");
  }
  plant("platform", impure, "impure");
  const refused = refusedByLinter();
  const passes = (path: string) =>
    !refused.has(path) && violations(path, sources.get(path) ?? "").length === 0;

  describe.each(pureFolders)("in src/%s", (folder) => {
    test.each(impure.map((text, index) => [text, index] as const))(
      "may not: %s",
      (_text, index) => {
        expect(passes(`src/${folder}/impure-${index}.ts`)).toBe(false);
      },
    );

    test.each(pure.map((text, index) => [text, index] as const))("may: %s", (_text, index) => {
      expect(passes(`src/${folder}/pure-${index}.ts`)).toBe(true);
    });
  });

  test("is the only code that may not: adapters are what reads the clock", () => {
    expect(passes(`src/platform/impure-${impure.indexOf("Date.now()")}.ts`)).toBe(true);
  });
});

describe("the list of files that are checked", () => {
  test("has new folders and code of every kind, with git and without", () => {
    const root = join(place, "tree");
    const code = ["a.ts", "stray/c.mjs", "stray/d.cts", "stray/deep/b.tsx"];
    for (const path of [...code, "e.md", "node_modules/f.ts"]) write(`tree/${path}`, "x\n");
    write("tree/.gitignore", "node_modules\n");
    expect(sourceFiles(root)).toEqual(code);
    const git = (...words: string[]) => spawnSync("git", words, { cwd: root });
    git("init", "--quiet");
    git("add", "a.ts");
    write("tree/dist/kept.ts", "x\n");
    expect(sourceFiles(root)).toEqual(["a.ts", "dist/kept.ts", ...code.slice(1)]);
    rmSync(join(root, "a.ts"));
    expect(sourceFiles(root)).not.toContain("a.ts");
  });
});
