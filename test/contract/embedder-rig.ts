import { expect } from "vitest";
import type { Embedder } from "#contract/embedder.ts";
import type { ExtensionPorts } from "#contract/ports.ts";
import { testPorts } from "#test/contract/channel-rig.ts";
import type { EmbeddingScript } from "#test/doubles/embedding-steps.ts";

/** What an embedder hands to the conformance suite, and the tools its tests share. */
export interface EmbedderSuite {
  readonly name: string;
  /** Called before every test. */
  start(ports: ExtensionPorts): Promise<EmbedderRig>;
}

export interface EmbedderRig {
  readonly embedder: Embedder;
  /** Of the service behind it; absent = there is none. */
  readonly script?: EmbeddingScript;
  /** Values that must never show up in an error. */
  readonly secrets: readonly string[];
  stop(): Promise<void>;
}

/** Pauses are over at once, but the patience with a service never is. */
export function patientPorts(): ExtensionPorts {
  const sleep = (ms: number, signal?: AbortSignal) =>
    ms < 10_000
      ? Promise.resolve()
      : new Promise<void>((_resolve, reject) => {
          signal?.addEventListener("abort", () => reject(new Error("aborted")));
        });
  return { ...testPorts(), sleep };
}

export async function embed(
  embedder: Embedder,
  texts: readonly string[],
  signal = new AbortController().signal,
): Promise<readonly (Float32Array | null)[]> {
  const result = await embedder.embed(texts, "passage", signal);
  if (!result.ok) throw new Error(`failed: ${result.error}`);
  expect(result.value).toHaveLength(texts.length);
  return result.value;
}

export function cosine(one: Float32Array | null = null, other: Float32Array | null = null): number {
  if (!one || !other) throw new Error("no vector");
  return one.reduce((sum, value, index) => sum + value * other[index]!, 0);
}
