import type { Place } from "#contract/provider.ts";

/** A local run has no such binding, whatever wrangler.toml says: calls would only fail, again and again. */
export function obstacle({ deployed, ports }: Place): string | undefined {
  if (!deployed) return "Workers AI only works when deployed";
  return ports.ai === undefined ? "wrangler.toml has no [ai] binding" : undefined;
}
