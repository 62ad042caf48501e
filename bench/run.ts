import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * `npm run bench [-- name … --option …]`: runs `bench/<name>.ts`, one process each, one after another; without
 * names all of them. A bench prints one JSON line per figure (rig/figure.ts) to stdout and its progress
 * to stderr; a file put into this folder is a bench, helpers live in rig/. The exit code says whether
 * the benches ran, not whether their figures meet their targets: those are read from the lines.
 */
const folder = import.meta.dirname;
const known = readdirSync(folder)
  .filter((file) => file.endsWith(".ts") && file !== basename(import.meta.filename))
  .map((file) => file.slice(0, -".ts".length))
  .toSorted();

const words = process.argv.slice(2);
const firstOption = words.findIndex((word) => word.startsWith("--"));
const asked = firstOption < 0 ? words : words.slice(0, firstOption);
/** Everything from the first option on is for the benches themselves. */
const options = firstOption < 0 ? [] : words.slice(firstOption);
const unknown = asked.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`no bench named ${unknown.join(", ")}; there are: ${known.join(", ")}`);
  process.exit(2);
}

let failed = 0;
for (const name of asked.length > 0 ? asked : known) {
  const from = performance.now();
  console.error(`bench ${name}`);
  const code = await run(join(folder, `${name}.ts`));
  const seconds = ((performance.now() - from) / 1000).toFixed(1);
  console.error(`bench ${name}: ${code === 0 ? "done" : `failed (${code})`} after ${seconds} s`);
  if (code !== 0) failed += 1;
}
process.exit(failed === 0 ? 0 : 1);

function run(file: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, ...options], { stdio: "inherit" });
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
}
