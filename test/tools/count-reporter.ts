import { writeFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";

/**
 * Writes how many tests passed and failed to the file named by TEST_COUNTS_FILE, for
 * `run-tests.ts` to print last. A test file that cannot be loaded and an error outside any test
 * count as one failure each, so that a broken file can never look like an empty one.
 */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    let passed = 0;
    let failed = unhandled.length;
    for (const module of modules) {
      const states = [...module.children.allTests()].map((test) => test.result().state);
      const lost = states.filter((state) => state === "failed").length;
      passed += states.filter((state) => state === "passed").length;
      failed += lost === 0 && module.state() === "failed" ? 1 : lost;
    }
    const file = process.env["TEST_COUNTS_FILE"];
    if (file) writeFileSync(file, JSON.stringify({ passed, failed }));
  }
}
