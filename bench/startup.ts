import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { temporaryDirectory } from "#test/harness/wait.ts";
import { percentile, progress, report } from "./rig/figure.ts";

/**
 * How busy an isolate is before it can take its first request: `wrangler check startup` evaluates the
 * bundle in a local workerd under a profiler, and everything in that profile but idling counts. The
 * platform allows one second. Times are of this machine; Cloudflare's is another.
 */
const RUNS = 3;
const root = join(import.meta.dirname, "..");
const wrangler = join(root, "node_modules", "wrangler", "bin", "wrangler.js");

interface Profile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: { functionName: string } }[];
  readonly samples: readonly number[];
  /** Microseconds. */
  readonly timeDeltas: readonly number[];
}

const home = temporaryDirectory();
try {
  const times: number[] = [];
  for (let run = 1; run <= RUNS; run += 1) {
    progress(`starting, ${run} of ${RUNS}`);
    times.push(activeMs(await profile(join(home.path, `${run}.cpuprofile`))));
  }
  report({
    figure: "startup.active",
    value: percentile(times, 0.5),
    unit: "ms",
    n: RUNS,
    note: "evaluating the bundle, under a profiler; the platform's limit is 1,000",
  });
} finally {
  home.remove();
}

async function profile(outfile: string): Promise<Profile> {
  const env = {
    ...process.env,
    WRANGLER_SEND_METRICS: "false",
    // Read by the build hook: this bundle is not for Cloudflare.
    PAGURUS_BUNDLE: "local",
  };
  const args = [wrangler, "check", "startup", "--outfile", outfile];
  await promisify(execFile)(process.execPath, args, { cwd: root, env });
  return JSON.parse(readFileSync(outfile, "utf8")) as Profile;
}

function activeMs({ nodes, samples, timeDeltas }: Profile): number {
  const names = new Map(nodes.map((node) => [node.id, node.callFrame.functionName]));
  let active = 0;
  for (const [index, sample] of samples.entries()) {
    if (names.get(sample) !== "(idle)") active += timeDeltas[index] ?? 0;
  }
  return active / 1000;
}
