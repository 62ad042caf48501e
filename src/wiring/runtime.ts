import { deployed } from "#build/info.ts";
import { customTools, extensions } from "#ext/index.ts";
import type { AiBinding, ExtensionPorts, Log, VectorizeBinding } from "#contract/ports.ts";
import type { ConfigProblem, RuntimeConfig } from "#contract/runtime-config.ts";
import { createRedactor } from "#kit/redact.ts";
import { createAssetReader } from "#platform/assets.ts";
import { createLog } from "#platform/log.ts";
import { timers } from "#platform/timers.ts";
import { loadConfig } from "./config.ts";
import { createRegistry, registryFor, type Registry } from "./registry.ts";

/** Env → everything that depends on nothing else: settings, extensions, the log. Made once per env. */
export interface Runtime {
  readonly runtime: RuntimeConfig;
  readonly registry: Registry;
  readonly log: Log;
  /** What the operator should know: of settings, of extensions, of who may speak. */
  readonly problems: readonly ConfigProblem[];
}

const runtimes = new WeakMap<Env, Runtime>();

export function loadRuntime(env: Env): Runtime {
  const known = runtimes.get(env);
  if (known) return known;
  const runtime = loadConfig(env);
  const log = createLog(createRedactor([...runtime.secrets]));
  const registry = registryFor(env, () =>
    createRegistry({
      extensions,
      customTools,
      runtime,
      env,
      ports: extensionPorts(env, log),
      deployed,
    }),
  );
  const problems = relevantProblems(runtime, registry);
  const made = { runtime, registry, log, problems };
  runtimes.set(env, made);
  for (const { severity, path, message } of problems) {
    log[severity === "error" ? "error" : "warn"]("config.problem", { path, message });
  }
  return made;
}

/** That nobody owns it matters once somebody could write; the API has a token instead of owners. */
function relevantProblems(runtime: RuntimeConfig, registry: Registry): ConfigProblem[] {
  const chat = registry.channels().some(({ id, account }) => {
    const channel = registry.channel(id, account);
    return channel !== undefined && channel.capabilities.webhook !== false;
  });
  return [...runtime.problems, ...registry.problems()].filter(
    ({ path, severity }) => chat || severity === "error" || path !== "OWNERS",
  );
}

function extensionPorts(env: Env, log: Log): ExtensionPorts {
  const ai = aiBinding(env);
  const vectorize = vectorizeBinding(env);
  const assets = env.ASSETS as Fetcher | undefined;
  return {
    fetch: (input, init) => fetch(input, init),
    now: Date.now,
    newId: () => crypto.randomUUID(),
    log,
    sleep: (ms, signal) => timers.sleep(ms, signal),
    ...(ai ? { ai } : {}),
    ...(vectorize ? { vectorize } : {}),
    ...(assets ? { asset: createAssetReader(assets) } : {}),
  };
}

/** The binding may be missing (a local run without it), whatever the generated types say. */
function aiBinding(env: Env): AiBinding | undefined {
  const bound = env.AI as Env["AI"] | undefined;
  if (!bound) return undefined;
  return { run: (model, input, options) => bound.run(model, input, options) };
}

/** Optional in wrangler.toml, so the generated types do not know it. */
function vectorizeBinding(env: Env): VectorizeBinding | undefined {
  const bound = Reflect.get(env, "VECTORIZE") as Vectorize | undefined;
  if (!bound) return undefined;
  return {
    describe: () => bound.describe(),
    query: (vector, options) => bound.query([...vector], options),
    upsert: (vectors) =>
      bound.upsert(vectors.map((each) => ({ ...each, values: [...each.values] }))),
    deleteByIds: (ids) => bound.deleteByIds([...ids]),
  };
}
