import type { Origins } from "#contract/origins.ts";
import { createOrigins } from "#platform/d1/origins.ts";
import { rememberOrigins } from "./remembered-origins.ts";

const made = new WeakMap<Env, Origins>();

/** One for each env, and so one memory for each isolate. */
export function originsOf(env: Env): Origins {
  const origins = made.get(env) ?? rememberOrigins(createOrigins(env.DB));
  made.set(env, origins);
  return origins;
}
