import { z } from "zod";
import type { Embedder } from "#contract/embedder.ts";
import { defineEmbedder } from "#contract/extension.ts";
import type { ExtensionPorts } from "#contract/ports.ts";
import { err, ok, type Result } from "#contract/result.ts";
import { describeError } from "#kit/redact.ts";
import { untilAborted } from "#kit/until-aborted.ts";
import { textVector } from "./text-vector.ts";
import {
  dimensions,
  readWordTable,
  vectorsAsset,
  wordsAsset,
  type WordTable,
} from "./word-table.ts";

/**
 * Word vectors that ship with the project: no key, no network, no cost, English only. The table is read
 * when the first text comes, and once per isolate. Only the table is shared between requests, never a
 * promise: awaiting another request's I/O is not allowed. Two first requests may both read it.
 */
export interface TableMemory {
  table?: WordTable;
}

const isolate: TableMemory = {};

export const localEmbedder = defineEmbedder({
  kind: "embedder",
  id: "local",
  environment: {},
  settings: z.strictObject({}),
  obstacle: ({ ports }) =>
    ports.asset === undefined ? "wrangler.toml has no [assets] binding" : undefined,
  create: (_settings, ports) => createLocalEmbedder(ports, isolate),
});

export function createLocalEmbedder(
  ports: Pick<ExtensionPorts, "asset">,
  memory: TableMemory,
): Embedder {
  return {
    model: "local/glove-lite",
    dimensions,
    batchSize: 256,
    // Measured: a weak embedder adds to keywords, and a passage is clearer with what stands around it.
    fusion: { weight: 1.2, floor: 0.3, previous: 0.5, next: 0.25 },
    async embed(texts, _purpose, signal) {
      if (signal.aborted) return stopped;
      const loaded = memory.table ? ok(memory.table) : await load(ports, signal);
      if (!loaded.ok) return loaded;
      const table = (memory.table ??= loaded.value);
      return ok(texts.map((text) => textVector(table, text)));
    },
  };
}

const stopped = err("local/glove-lite was stopped");

async function load(
  { asset }: Pick<ExtensionPorts, "asset">,
  signal: AbortSignal,
): Promise<Result<WordTable, string>> {
  if (!asset) return err("the word vectors are not there: wrangler.toml has no [assets] binding");
  try {
    const read = Promise.all([asset(wordsAsset), asset(vectorsAsset)]);
    const [words, vectors] = await untilAborted(read, signal);
    if (!words || !vectors) return err("the word vectors are not there: assets/ was not deployed");
    return readWordTable(words, vectors);
  } catch (error) {
    if (signal.aborted) return stopped;
    return err(`the word vectors cannot be read: ${describeError(error)}`);
  }
}
