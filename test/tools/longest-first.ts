import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The order of test files: those that take longest come first, so that the last ones to end are short
 * and end together. vitest knows how long a file took only where it ran before, which a fresh checkout
 * never did, and goes by size otherwise: a poor guess, as most of a system test's time is starts.
 */
const longest = [
  "crash/others",
  "system/memory-recall",
  "crash/telegram",
  "system/settings",
  "crash/anywhere",
  "system/memory-restart",
  "system/start",
  "crash/memory",
  "system/secrets",
  "system/policy",
  "system/storm",
  "system/memory-clock",
  "system/chat",
  "system/memory-switches",
  "system/memory-poisoning",
  "system/outage",
  "system/deploy",
  "system/runtime",
  "system/streaming",
  "workers/memory/forget",
  "workers/agent/provenance",
  "workers/agent/workspace",
  "workers/memory/forget-wording",
];

/** Paths of these files from the root of the repository. */
export const longestFiles: readonly string[] = longest.map((name) => `test/${name}.test.ts`);

/** Smaller is earlier; the same for all that take no time worth a place in the list. */
function rank(root: string, path: string): number {
  const place = longestFiles.indexOf(relative(root, path));
  return place < 0 ? longestFiles.length : place;
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    const rankOf = ({ moduleId }: TestSpecification) => rank(this.ctx.config.root, moduleId);
    return sorted.toSorted((a, b) => groupOf(a) - groupOf(b) || rankOf(a) - rankOf(b));
  }
}
