import { z } from "zod";
import type { Embedder } from "#contract/embedder.ts";
import { defineEmbedder } from "#contract/extension.ts";
import type { ExtensionPorts } from "#contract/ports.ts";
import { embedRemotely } from "#kit/embedding/remote.ts";
import { createRedactor } from "#kit/redact.ts";
import { openAiClient } from "./client.ts";
import { AnswerError, toFault } from "./fault.ts";
import { endpointOf, environment as providerEnvironment } from "./settings.ts";

/**
 * Embeddings of OpenAI, and of every server that speaks its protocol. Key and address are the model
 * provider's. Of a model that is not in the list, the number of dimensions has to be said: vectors that
 * do not have it are refused, since a mix could not be compared.
 */
const known: Readonly<Record<string, number>> = {
  "text-embedding-3-small": 1536,
  "text-embedding-3-large": 3072,
  "text-embedding-ada-002": 1536,
};

const environment = {
  apiKey: providerEnvironment.apiKey,
  baseUrl: providerEnvironment.baseUrl,
  model: "OPENAI_EMBEDDING_MODEL",
  dimensions: "OPENAI_EMBEDDING_DIMENSIONS",
} as const;

const settingsSchema = z
  .strictObject({
    apiKey: z.string().trim().min(1).optional(),
    baseUrl: z.url({ protocol: /^https?$/ }).optional(),
    model: z.string().default("text-embedding-3-small"),
    dimensions: z.coerce.number().int().min(8).max(4096).optional(),
  })
  .refine((settings) => settings.apiKey !== undefined || settings.baseUrl !== undefined, {
    path: ["apiKey"],
    error: "a key, or the base URL of a server that needs none",
  })
  .refine((settings) => dimensionsOf(settings) !== undefined, {
    path: ["dimensions"],
    error: "how many numbers a vector of this model has",
  });
type Settings = z.infer<typeof settingsSchema>;

export const openaiEmbedder = defineEmbedder<Settings>({
  kind: "embedder",
  id: "openai",
  environment,
  settings: settingsSchema,
  create: createOpenAiEmbedder,
});

interface ModelShape {
  readonly model: string;
  readonly dimensions?: number | undefined;
}

function dimensionsOf({ model, dimensions }: ModelShape): number | undefined {
  return dimensions ?? known[model];
}

function createOpenAiEmbedder(settings: Settings, ports: ExtensionPorts): Embedder {
  const { apiKey, model, baseUrl } = settings;
  const endpoint = endpointOf({ apiKey, baseUrl });
  const redactor = createRedactor(apiKey === undefined ? [] : [apiKey]);
  const dimensions = dimensionsOf(settings) ?? 0;
  const remote = {
    model: `openai/${model}`,
    dimensions,
    ports,
    call: (texts: readonly string[], signal: AbortSignal) =>
      request({ ...settings, dimensions }, { texts, signal, fetchPort: ports.fetch }),
    toFault: (error: unknown) =>
      toFault(error, {
        now: ports.now(),
        keyVariable: environment.apiKey,
        baseUrl: endpoint.baseUrl,
        redact: (text) => redactor.redact(text),
      }),
  };
  return {
    model: remote.model,
    dimensions,
    batchSize: 128,
    // By what such models do elsewhere; not measured here.
    fusion: { weight: 1.5, floor: 0.3, previous: 0, next: 0 },
    embed: (texts, _purpose, signal) => embedRemotely(remote, texts, signal),
  };
}

interface Call {
  readonly texts: readonly string[];
  readonly signal: AbortSignal;
  readonly fetchPort: typeof fetch;
}

async function request(settings: Settings & { dimensions: number }, call: Call) {
  const { model, dimensions, apiKey, baseUrl } = settings;
  // Only these models can shorten their vectors; others refuse to be asked.
  const shortened = model.startsWith("text-embedding-3-") && known[model] !== dimensions;
  const client = openAiClient(
    { endpoint: endpointOf({ apiKey, baseUrl }), apiKey },
    call.fetchPort,
  );
  const answer: unknown = await client.embeddings.create(
    {
      model,
      input: [...call.texts],
      // Compatible servers know no other.
      encoding_format: "float",
      ...(shortened ? { dimensions } : {}),
    },
    { signal: call.signal },
  );
  return inOrder(answer);
}

const answerSchema = z.object({
  data: z.array(z.object({ index: z.number().int(), embedding: z.array(z.number()) })),
});

/** The place of a vector is its index, not where it stands in the answer. */
function inOrder(answer: unknown): number[][] {
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) throw new AnswerError("the answer holds no embeddings", undefined);
  const rows = parsed.data.data.toSorted((one, other) => one.index - other.index);
  if (rows.some(({ index }, place) => index !== place)) {
    throw new AnswerError("the answer's vectors are not numbered as the texts were", undefined);
  }
  return rows.map(({ embedding }) => embedding);
}
