import type { ConfigProblem, RuntimeConfig } from "#contract/runtime-config.ts";
import { readDocument } from "#core/config/document.ts";
import { readOwners } from "#core/config/owners.ts";
import { isSecretName } from "#kit/secret-shape.ts";

/**
 * Environment variables and the document in `PAGURUS_CONFIG` → what the service runs with. At start
 * nothing here is fatal: what is broken is reported and falls back or closes (core/config/document.ts
 * says which). Read once per env object.
 */
export type EnvVars = object;

const loaded = new WeakMap<EnvVars, RuntimeConfig>();

/** Never throws. Its `problems` belong into /readyz and the log. */
export function loadConfig(env: EnvVars): RuntimeConfig {
  const known = loaded.get(env);
  if (known) return known;
  const read = readConfig(env);
  loaded.set(env, read);
  return read;
}

/** A variable's text without surrounding blanks; undefined when it is not set, blank or not text. */
export function variable(env: EnvVars, name: string): string | undefined {
  const value: unknown = Reflect.get(env, name);
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" ? undefined : text;
}

function readConfig(env: EnvVars): RuntimeConfig {
  const document = readDocument(documentText(env), (name) => variable(env, name));
  const { owners, problems: ownerProblems } = readOwners(variable(env, "OWNERS"));
  const { timeZone, problems: zoneProblems } = readTimeZone(variable(env, "TIMEZONE"));
  return {
    config: document.config,
    owners,
    closed: document.closed,
    timeZone,
    model: variable(env, "MODEL") ?? document.config.models.default,
    gatewayToken: variable(env, "GATEWAY_TOKEN"),
    secrets: [...new Set([...document.secrets, ...secretVariables(env)])],
    problems: [...document.problems, ...ownerProblems, ...zoneProblems],
  };
}

/** Wrangler turns a table under [vars] into an object. */
function documentText(env: EnvVars): string | undefined {
  const value: unknown = Reflect.get(env, "PAGURUS_CONFIG");
  return typeof value === "object" && value !== null
    ? JSON.stringify(value)
    : variable(env, "PAGURUS_CONFIG");
}

function readTimeZone(name: string | undefined): {
  readonly timeZone: string;
  readonly problems: readonly ConfigProblem[];
} {
  if (name === undefined) return { timeZone: "UTC", problems: [] };
  const canonical = canonicalZone(name);
  if (canonical !== undefined) return { timeZone: canonical, problems: [] };
  const message = `"${name.slice(0, 80)}" is not an IANA time zone such as Europe/Oslo; UTC is used`;
  return { timeZone: "UTC", problems: [{ severity: "error", path: "TIMEZONE", message }] };
}

function canonicalZone(name: string): string | undefined {
  // Intl also takes "+02:00", which knows nothing of summer time.
  if (!/^[A-Za-z]/.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function secretVariables(env: EnvVars): string[] {
  return Object.keys(env).flatMap((name) => {
    const value = isSecretName(name) ? variable(env, name) : undefined;
    return value === undefined ? [] : [value];
  });
}
