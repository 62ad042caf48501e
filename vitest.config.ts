import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./test/tools/longest-first.ts";

/**
 * Four projects: `unit` (pure code in node), `workers` (what only workerd can prove, from inside),
 * `system` (the whole Worker from outside, over the harness), `crash` (the same, killed again and
 * again). The last two depend on time, so they run after the others, and together: both wait for much
 * of theirs. In `unit` a plugin stands in for wrangler's Text rule.
 */
const textModules = {
  name: "text-modules",
  enforce: "pre" as const,
  async load(id: string) {
    const [path = ""] = id.split("?");
    if (!/\.(md|sql)$/.test(path)) return undefined;
    return `export default ${JSON.stringify(await readFile(path, "utf8"))};`;
  },
};

/**
 * Nothing outside is talked to. Where somebody has added certificates, the local runtime is handed a
 * hundred of them with each start, which then takes half a second longer.
 */
const noCertificates = { NODE_EXTRA_CA_CERTS: "" };

/**
 * wrangler reads `.dev.vars` and `.env` beside its configuration, and a developer's own keys must never
 * reach a test: so the tests get the configuration in a folder that has neither.
 */
function configAlone(): string {
  const folder = join(import.meta.dirname, ".cache", "workers-test");
  const entry = join(import.meta.dirname, "src", "index.ts");
  const assets = join(import.meta.dirname, "assets");
  const text = readFileSync(join(import.meta.dirname, "wrangler.toml"), "utf8");
  const path = join(folder, "wrangler.toml");
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    path,
    text
      .replace(/^main = .*$/m, () => `main = ${JSON.stringify(entry)}`)
      .replace(/^directory = .*$/m, () => `directory = ${JSON.stringify(assets)}`),
  );
  return path;
}

export default defineConfig({
  test: {
    allowOnly: false,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        plugins: [textModules],
        test: {
          name: "unit",
          environment: "node",
          include: ["test/unit/**/*.test.ts"],
          // Pure code keeps no state between files; one process per worker saves most of the time.
          isolate: false,
          testTimeout: 20_000,
          maxWorkers: 2,
          sequence: { groupOrder: 0 },
        },
      },
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: configAlone() },
            remoteBindings: false,
            // A channel that needs no network, and a provider whose API is played by whoever stands in
            // for fetch; it is nobody's default.
            miniflare: {
              bindings: {
                GATEWAY_TOKEN: "none",
                MODEL: "demo/demo",
                ANTHROPIC_API_KEY: "none",
                ANTHROPIC_BASE_URL: "http://model.invalid",
              },
            },
          }),
        ],
        test: {
          name: "workers",
          include: ["test/workers/**/*.test.ts"],
          // Two isolates, each with one storage for all its files, which name their objects so that they
          // never meet: loading everything anew for each of them takes three times as long.
          isolate: false,
          testTimeout: 20_000,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        plugins: [textModules],
        test: {
          name: "system",
          environment: "node",
          include: ["test/system/**/*.test.ts"],
          globalSetup: "test/harness/build-once.ts",
          env: noCertificates,
          testTimeout: 120_000,
          hookTimeout: 90_000,
          // What they share keeps no state; to load the local runtime takes a process two seconds.
          isolate: false,
          // Much of their time they wait, for a limit to pass or a server to come up.
          maxWorkers: 4,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: "crash",
          environment: "node",
          include: ["test/crash/**/*.test.ts"],
          globalSetup: "test/harness/build-once.ts",
          env: noCertificates,
          testTimeout: 300_000,
          hookTimeout: 90_000,
          isolate: false,
          maxWorkers: 4,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
