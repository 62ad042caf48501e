import { deployed } from "#build/info.ts";
import { customTools, extensions } from "#ext/index.ts";
import type { AiBinding, ExtensionPorts, Log } from "#contract/ports.ts";
import type { RuntimeConfig } from "#contract/runtime-config.ts";
import { createRedactor } from "#kit/redact.ts";
import { createLog } from "#platform/log.ts";
import { timers } from "#platform/timers.ts";
import { loadConfig } from "./config.ts";
import { createRegistry, registryFor, type Registry } from "./registry.ts";

/** Env → everything that depends on nothing else: settings, extensions, the log. Made once per env. */
export interface Runtime {
  readonly runtime: RuntimeConfig;
  readonly registry: Registry;
  readonly log: Log;
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
  const made = { runtime, registry, log };
  runtimes.set(env, made);
  for (const problem of [...runtime.problems, ...registry.problems()]) {
    const { severity, path, message } = problem;
    log[severity === "error" ? "error" : "warn"]("config.problem", { path, message });
  }
  return made;
}

function extensionPorts(env: Env, log: Log): ExtensionPorts {
  const ai = aiBinding(env);
  return {
    fetch: (input, init) => fetch(input, init),
    now: Date.now,
    newId: () => crypto.randomUUID(),
    log,
    sleep: (ms, signal) => timers.sleep(ms, signal),
    ...(ai ? { ai } : {}),
  };
}

/** The binding may be missing (a local run without it), whatever the generated types say. */
function aiBinding(env: Env): AiBinding | undefined {
  const bound = env.AI as Env["AI"] | undefined;
  if (!bound) return undefined;
  return { run: (model, input, options) => bound.run(model, input, options) };
}
