import type { z } from "zod";
import type { ConfigProblem } from "#contract/runtime-config.ts";
import { nearest } from "#kit/nearest.ts";
import { absentSettings } from "#kit/needed-settings.ts";
import { variable, type EnvVars } from "./config.ts";

/**
 * The settings of one provider or channel account: what the document says, then environment variables
 * on top, checked by the extension's own schema. Nothing about a fault shows a value, because most of
 * these are keys.
 */
export interface SettingsSource<Settings> {
  readonly environment: Readonly<Record<string, string>>;
  readonly settings: z.ZodType<Settings>;
}

export type SettingsReading<Settings> =
  | {
      readonly ok: true;
      readonly settings: Settings;
      /** Was anything set at all, or does it run on defaults alone? */
      readonly given: boolean;
      /** Names of variables (or settings that have none) without which it works by half. */
      readonly missing: readonly string[];
      readonly problems: readonly ConfigProblem[];
    }
  | {
      readonly ok: false;
      readonly given: boolean;
      /** The same, without which it cannot run. */
      readonly missing: readonly string[];
      readonly problems: readonly ConfigProblem[];
    };

/** Settings from variables; absent ones are left out. */
export function environmentSettings(
  environment: Readonly<Record<string, string>>,
  env: EnvVars,
): Record<string, string> {
  const entries = Object.entries(environment).flatMap(([setting, name]) => {
    const value = variable(env, name);
    return value === undefined ? [] : [[setting, value] as const];
  });
  return Object.fromEntries(entries);
}

/** `path` is where the operator finds these settings, for messages. */
export function readSettings<Settings>(
  source: SettingsSource<Settings>,
  given: Readonly<Record<string, string>>,
  path: string,
): SettingsReading<Settings> {
  const remaining = { ...given };
  const warnings: ConfigProblem[] = [];
  let result = source.settings.safeParse(remaining);
  for (const key of unknownKeys(result)) {
    const meant = nearest(key, Object.keys(source.environment));
    const hint = meant === undefined ? "" : `; did you mean "${meant}"?`;
    const message = `unknown setting, ignored${hint}`;
    warnings.push({ severity: "warning", path: `${path}.${key}`, message });
    Reflect.deleteProperty(remaining, key);
  }
  if (warnings.length > 0) result = source.settings.safeParse(remaining);
  const some = Object.keys(remaining).length > 0;
  const absent = absentSettings(source.settings, remaining).map(
    (setting) => source.environment[setting] ?? `${path}.${setting}`,
  );
  if (result.success) {
    return { ok: true, settings: result.data, given: some, missing: absent, problems: warnings };
  }
  const { missing, problems } = faults(result.error.issues, remaining, source.environment, path);
  const all = [...new Set([...missing, ...absent])];
  return { ok: false, given: some, missing: all, problems: [...warnings, ...problems] };
}

function unknownKeys(result: z.ZodSafeParseResult<unknown>): string[] {
  const issues = result.success ? [] : result.error.issues;
  return issues.flatMap((issue) =>
    issue.code === "unrecognized_keys" && issue.path.length === 0 ? issue.keys : [],
  );
}

function faults(
  issues: readonly z.core.$ZodIssue[],
  given: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string>>,
  path: string,
): { readonly missing: string[]; readonly problems: ConfigProblem[] } {
  const missing = new Set<string>();
  const problems: ConfigProblem[] = [];
  for (const issue of issues) {
    const setting = String(issue.path[0] ?? "");
    const name = environment[setting];
    if (setting !== "" && given[setting] === undefined) {
      missing.add(name ?? `${path}.${setting}`);
      continue;
    }
    const message = `${issue.message.replace(/\s+/g, " ")}; it is off`;
    problems.push({ severity: "error", path: name ?? `${path}.${setting}`, message });
  }
  return { missing: [...missing], problems };
}
