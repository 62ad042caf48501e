import { z } from "zod";

/** The part of /readyz that the command line tells people about. Loose: the rest may change. */
export const readinessSchema = z.object({
  ready: z.boolean(),
  /** `provider/model`, or the sentence why there is none. */
  model: z.string(),
  channels: z.array(
    z.object({
      id: z.string(),
      account: z.string().default("default"),
      state: z.string(),
      missing: z.array(z.string()).default([]),
    }),
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

/** What the owner should read now. */
export function problemLines({ problems }: Readiness): string[] {
  return problems.map(({ path, message }) => `${path}: ${message}`);
}

/** Chat apps that were begun, but do not work like that. */
export function incompleteLines({ channels }: Readiness): string[] {
  return channels
    .filter(({ state }) => state === "incomplete")
    .map(({ id, account, missing }) => {
      const name = account === "default" ? id : `${id} (${account})`;
      return `${name} does not work yet: set ${missing.join(" and ")}`;
    });
}
