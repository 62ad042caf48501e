import { z } from "zod";

/** The part of /readyz that the command line tells people about. Loose: the rest may change. */
export const readinessSchema = z.object({
  ready: z.boolean(),
  /** `provider/model`, or the sentence why there is none. */
  model: z.string(),
  channels: z.array(
    z.object({ id: z.string(), account: z.string().default("default"), state: z.string() }),
  ),
  problems: z
    .array(z.object({ severity: z.string(), path: z.string(), message: z.string() }))
    .default([]),
});
export type Readiness = z.infer<typeof readinessSchema>;

/** Rejects when nobody answers, or not with what is expected. */
export async function fetchReadiness(url: string, signal?: AbortSignal): Promise<Readiness> {
  const response = await fetch(`${url}/readyz`, signal ? { signal } : {});
  return readinessSchema.parse(await response.json());
}

/** What the owner should read now. That nobody owns it means nothing while no chat app is set up. */
export function problemLines(readiness: Readiness): string[] {
  const reachable = readiness.channels.some(({ id, state }) => id !== "api" && state === "ready");
  return readiness.problems
    .filter(({ severity, path }) => reachable || severity === "error" || path !== "OWNERS")
    .map(({ path, message }) => `${path}: ${message}`);
}
