import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";

/**
 * `npm test`: the checks, then every vitest project, then one last line `N passed, N failed`. A
 * failed check counts as one failure, and so does a test run that dies without reporting; the exit
 * code is 0 only when nothing failed. Arguments go on to vitest.
 */
const countsFile = ".cache/test-counts.json";

function run(command: string, args: string[]): boolean {
  const env = { ...process.env, TEST_COUNTS_FILE: countsFile, WRANGLER_SEND_METRICS: "false" };
  return spawnSync(command, args, { stdio: "inherit", env }).status === 0;
}

function readCounts(): { passed: number; failed: number } {
  try {
    return JSON.parse(readFileSync(countsFile, "utf8")) as { passed: number; failed: number };
  } catch {
    return { passed: 0, failed: 0 };
  }
}

mkdirSync(".cache", { recursive: true });
rmSync(countsFile, { force: true });
const checked = run("npm", ["run", "--silent", "check"]);
const reporters = ["--reporter=default", "--reporter=./test/tools/count-reporter.ts"];
const tested = run("vitest", ["run", ...reporters, ...process.argv.slice(2)]);

const counts = readCounts();
const silentFailure = !tested && counts.failed === 0 ? 1 : 0;
const failed = counts.failed + silentFailure + (checked ? 0 : 1);
if (!checked)
  console.log("\nThe checks failed: see the top of this output, or run `npm run check`.");
console.log(`\n${counts.passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
