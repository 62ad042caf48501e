import { z } from "zod";
import type { Embedder } from "#contract/embedder.ts";
import { defineEmbedder } from "#contract/extension.ts";
import type { AiBinding, ExtensionPorts } from "#contract/ports.ts";
import { embedRemotely } from "#kit/embedding/remote.ts";
import { redact } from "#kit/redact.ts";
import { AnswerError, errorOf, readError, toFault } from "./fault.ts";
import { obstacle } from "./obstacle.ts";

/** BGE-M3 on Workers AI: a hundred languages, and a price per memory that is hardly worth mentioning. */
const hosted = "@cf/baai/bge-m3";
const dimensions = 1024;

export const workersAiEmbedder = defineEmbedder({
  kind: "embedder",
  id: "workers-ai",
  environment: {},
  settings: z.strictObject({}),
  obstacle,
  create: (_settings, ports) => createEmbedder(ports),
});

function createEmbedder(ports: ExtensionPorts): Embedder {
  const remote = {
    model: "workers-ai/bge-m3",
    dimensions,
    ports,
    call: (texts: readonly string[], signal: AbortSignal) => run(ports.ai, texts, signal),
    toFault: (error: unknown) => toFault(error, { now: ports.now(), redact }),
  };
  return {
    model: remote.model,
    dimensions,
    batchSize: 100,
    // By what the model does elsewhere; not measured here.
    fusion: { weight: 1.5, floor: 0.3, previous: 0, next: 0 },
    embed: (texts, _purpose, signal) => embedRemotely(remote, texts, signal),
  };
}

async function run(ai: AiBinding | undefined, texts: readonly string[], signal: AbortSignal) {
  if (!ai) throw new AnswerError("wrangler.toml has no [ai] binding", []);
  const answer = await ai.run(hosted, { text: [...texts] }, { returnRawResponse: true, signal });
  const isResponse = answer instanceof Response;
  if (isResponse && !answer.ok) throw await errorOf(answer);
  return vectorsOf(isResponse ? await jsonOf(answer) : answer);
}

async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    throw new AnswerError("the answer is not JSON", []);
  }
}

const rowsSchema = z.object({ data: z.array(z.array(z.number())) });
const answerSchema = z.union([
  rowsSchema,
  z.object({ result: rowsSchema }).transform(({ result }) => result),
]);

function vectorsOf(answer: unknown): number[][] {
  const parsed = answerSchema.safeParse(answer);
  if (parsed.success) return parsed.data.data;
  throw readError(answer) ?? new AnswerError("the answer holds no embeddings", []);
}
