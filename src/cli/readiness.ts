import { z } from "zod";
import type { Result } from "#contract/result.ts";
import type { Target } from "./target.ts";

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

const conversationSchema = z.object({
  key: z.string().optional(),
  model: z.discriminatedUnion("ok", [
    z.object({ ok: z.literal(true), value: z.string() }),
    z.object({ ok: z.literal(false), error: z.string() }),
  ]),
});

/** A conversation as the API names it. */
export interface ConversationName {
  readonly user: string;
  readonly model: string;
}

export interface ConversationFacts {
  /** The model that would answer, or why none would. */
  readonly model: Result<string, string>;
  /** Of the session; absent while nothing has been said. */
  readonly key?: string | undefined;
}

/** Undefined when that cannot be learned: an older Pagurus, a wrong token. */
export async function fetchConversation(
  { url, token }: Target,
  { user, model }: ConversationName,
  signal: AbortSignal,
): Promise<ConversationFacts | undefined> {
  const query = new URLSearchParams({ user, model }).toString();
  const headers = { authorization: `Bearer ${token}` };
  try {
    const response = await fetch(`${url}/conversation?${query}`, { headers, signal });
    return conversationSchema.parse(await response.json());
  } catch {
    return undefined;
  }
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
