import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";

/**
 * The Worker as `wrangler deploy` would upload it, plus what its wrangler.toml says, for a runtime
 * to start. The build is a dry run of deploy, so that tests run what users deploy (but for the one
 * constant that says where it runs). It is kept under .cache by a hash of everything beside the
 * wrangler.toml, because it costs two seconds and every test process asks for it.
 */
const moduleSchema = z.object({
  type: z.enum(["ESModule", "Text", "CompiledWasm", "Data"]),
  path: z.string(),
});

const manifestSchema = z.object({
  name: z.string(),
  compatibilityDate: z.string(),
  compatibilityFlags: z.array(z.string()),
  vars: z.record(z.string(), z.json()),
  databases: z.array(z.string()),
  buckets: z.array(z.string()),
  /** Binding name → class name. */
  objects: z.record(z.string(), z.string()),
  /** Files the Worker reads; it sees every request before they do. */
  assets: z.object({ directory: z.string(), binding: z.string() }).optional(),
  /** The entry module comes first. */
  modules: z.array(moduleSchema),
});

/** The part of wrangler's own reading of a wrangler.toml that matters here. */
const configSchema = z.object({
  name: z.string(),
  compatibility_date: z.string(),
  compatibility_flags: z.array(z.string()),
  vars: z.record(z.string(), z.json()),
  d1_databases: z.array(z.object({ binding: z.string() })),
  r2_buckets: z.array(z.object({ binding: z.string() })),
  durable_objects: z.object({
    bindings: z.array(z.object({ name: z.string(), class_name: z.string() })),
  }),
  assets: z
    .object({ directory: z.string(), binding: z.string(), run_worker_first: z.literal(true) })
    .optional(),
});

export type WorkerManifest = z.infer<typeof manifestSchema>;

export interface WorkerBundle extends WorkerManifest {
  /** Absolute path of the folder that holds `modules`. */
  readonly directory: string;
}

const root = resolve(import.meta.dirname, "..", "..");
const cache = join(root, ".cache", "worker");
const keepBuildsMs = 24 * 3600 * 1000;
const ignored = new Set(["node_modules", "build", "dist", "coverage", "test", "bench", "docs"]);
const bundles = new Map<string, Promise<WorkerBundle>>();

/**
 * Builds the Worker of a wrangler.toml (path from the root of the repository), or finds it built.
 * Rejects with wrangler's own output when the build fails.
 */
export function bundleWorker(config = "wrangler.toml"): Promise<WorkerBundle> {
  const path = resolve(root, config);
  const known = bundles.get(path);
  if (known) return known;
  const made = findOrBuild(path);
  bundles.set(path, made);
  return made;
}

async function findOrBuild(config: string): Promise<WorkerBundle> {
  const directory = join(cache, hashSources(dirname(config)));
  if (!existsSync(directory)) await build(config, directory);
  const manifest = manifestSchema.parse(
    JSON.parse(readFileSync(join(directory, "manifest.json"), "utf8")),
  );
  return { ...manifest, directory };
}

/** A Worker of a bench may be made of the product's own code. */
function hashSources(folder: string): string {
  const hash = createHash("sha256");
  const product = folder === root ? [] : ["src", "extensions", "migrations"];
  const folders = [folder, ...product.map((name) => join(root, name))];
  for (const path of folders.flatMap(listSources).toSorted()) {
    hash
      .update(`${relative(folder, path)}\0`)
      .update(readFileSync(path))
      .update("\0");
  }
  return hash.digest("hex").slice(0, 24);
}

function listSources(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name.startsWith(".") || ignored.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return listSources(path);
    return entry.isFile() ? [path] : [];
  });
}

/** Builds beside the target and renames, so that two processes at once cannot mix their files. */
async function build(config: string, directory: string): Promise<void> {
  forgetOldBuilds();
  const scratch = `${directory}.${process.pid}`;
  mkdirSync(scratch, { recursive: true });
  try {
    await runWrangler(["deploy", "--dry-run", "--outdir", scratch, "--config", config]);
    const manifest = { ...(await readConfig(config)), modules: listModules(scratch, config) };
    writeFileSync(join(scratch, "manifest.json"), JSON.stringify(manifest, null, 2));
    if (!existsSync(directory)) renameSync(scratch, directory);
  } catch (error) {
    // Losing the race for the same target is as good as winning it.
    if (!existsSync(directory)) throw error;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function runWrangler(args: string[]): Promise<void> {
  const wrangler = join(root, "node_modules", "wrangler", "bin", "wrangler.js");
  const env = {
    ...process.env,
    WRANGLER_SEND_METRICS: "false",
    NO_COLOR: "1",
    // Read by the build hook: this bundle is not for Cloudflare, although the command is deploy.
    PAGURUS_BUNDLE: "local",
  };
  try {
    await promisify(execFile)(process.execPath, [wrangler, ...args], { env, cwd: root });
  } catch (error) {
    const output = error instanceof Error && "stderr" in error ? String(error.stderr) : "";
    throw new Error(`wrangler ${args.join(" ")} failed:\n${output}`, { cause: error });
  }
}

async function readConfig(config: string): Promise<Omit<WorkerManifest, "modules">> {
  const { unstable_readConfig: readWranglerConfig } = await import("wrangler");
  const read = configSchema.parse(readWranglerConfig({ config }, { hideWarnings: true }));
  const objects = read.durable_objects.bindings.map(({ name, class_name }) => [name, class_name]);
  const { assets } = read;
  const directory = resolve(dirname(config), assets?.directory ?? "");
  return {
    ...(assets ? { assets: { directory, binding: assets.binding } } : {}),
    name: read.name,
    compatibilityDate: read.compatibility_date,
    compatibilityFlags: read.compatibility_flags,
    vars: read.vars,
    databases: read.d1_databases.map(({ binding }) => binding),
    buckets: read.r2_buckets.map(({ binding }) => binding),
    objects: Object.fromEntries(objects) as Record<string, string>,
  };
}

function listModules(directory: string, config: string): WorkerManifest["modules"] {
  const names = readdirSync(directory).filter(
    (name) => name !== "README.md" && !name.endsWith(".map"),
  );
  // Bundled into one: whatever the entry is called, there is no other script.
  const entry = names.find((name) => name.endsWith(".js"));
  if (!entry) throw new Error(`the build of ${basename(dirname(config))} has no script`);
  return [entry, ...names.filter((name) => name !== entry)].map((path) => ({
    type: moduleType(path),
    path,
  }));
}

function moduleType(path: string): z.infer<typeof moduleSchema>["type"] {
  if (/\.m?js$/.test(path)) return "ESModule";
  if (path.endsWith(".wasm")) return "CompiledWasm";
  return path.endsWith(".bin") ? "Data" : "Text";
}

function forgetOldBuilds(): void {
  if (!existsSync(cache)) return;
  for (const name of readdirSync(cache)) {
    const path = join(cache, name);
    const old = Date.now() - statSync(path).mtimeMs > keepBuildsMs;
    if (old) rmSync(path, { recursive: true, force: true });
  }
}
