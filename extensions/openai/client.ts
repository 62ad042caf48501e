import OpenAI from "openai";
import type { Endpoint } from "./settings.ts";

/**
 * The official client, tamed: it never retries, has no time limit of its own, logs nothing, and looks
 * up nothing in the environment.
 */
export interface ClientSetup {
  readonly endpoint: Pick<Endpoint, "baseUrl">;
  readonly apiKey: string | undefined;
}

/** The largest delay a timer takes: limits come in through the signal. */
const noTimeout = 2 ** 31 - 1;

export function openAiClient({ endpoint, apiKey }: ClientSetup, fetchPort: typeof fetch): OpenAI {
  return new OpenAI({
    // The client insists on a key; without one the header is left out.
    apiKey: apiKey ?? "none",
    ...(apiKey === undefined ? { defaultHeaders: { Authorization: null } } : {}),
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    baseURL: endpoint.baseUrl,
    fetch: fetchPort,
    maxRetries: 0,
    timeout: noTimeout,
    logLevel: "off",
  });
}
