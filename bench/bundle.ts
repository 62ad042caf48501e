import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { bundleWorker } from "#test/harness/bundle.ts";
import { progress, report } from "./rig/figure.ts";

/**
 * What `wrangler deploy` uploads: all modules of the Worker as a dry run of it writes them, minified or
 * not as wrangler.toml says. Cloudflare's own limit (3 MB on the free plan) counts the gzipped size.
 */
const MEGABYTE = 1_000_000;

progress("building as deploy does");
const bundle = await bundleWorker();
const bytes = Buffer.concat(
  bundle.modules.map(({ path }) => readFileSync(join(bundle.directory, path))),
);
const n = bundle.modules.length;
report({ figure: "bundle.size", value: bytes.length / MEGABYTE, unit: "MB", n });
report({
  figure: "bundle.gzip",
  value: gzipSync(bytes).length / MEGABYTE,
  unit: "MB",
  n,
  atMost: 1.2,
});
