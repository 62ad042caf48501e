import type { JsonObject } from "./json.ts";

/** Milliseconds since the epoch. */
export type Now = () => number;

/** Structured log lines. Values are redacted by the implementation, whatever they are. */
export interface Log {
  info(event: string, fields?: JsonObject): void;
  warn(event: string, fields?: JsonObject): void;
  error(event: string, fields?: JsonObject): void;
}

/** The part of a Workers AI binding we use. */
export interface AiBinding {
  run(model: string, input: JsonObject, options?: AiRunOptions): Promise<unknown>;
}

export interface AiRunOptions {
  /** The answer as a Response, with its status and headers, whatever they are. */
  readonly returnRawResponse?: boolean;
  readonly extraHeaders?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The part of a Vectorize binding we use. Changes are accepted at once and seen some seconds later. */
export interface VectorizeBinding {
  describe(): Promise<VectorizeState>;
  query(
    vector: readonly number[],
    options: { readonly topK: number; readonly namespace: string },
  ): Promise<{ readonly matches: readonly { readonly id: string; readonly score: number }[] }>;
  upsert(vectors: readonly VectorizeEntry[]): Promise<{ readonly mutationId: string }>;
  deleteByIds(ids: readonly string[]): Promise<{ readonly mutationId: string }>;
}

export interface VectorizeState {
  readonly dimensions: number;
  /** Of all namespaces. */
  readonly vectorCount: number;
  /** Id of the last change that is seen; all before it are seen, too. */
  readonly processedUpToMutation?: unknown;
  /** When that change was made: ISO 8601, or milliseconds. */
  readonly processedUpToDatetime?: unknown;
}

export interface VectorizeEntry {
  readonly id: string;
  readonly namespace: string;
  readonly values: readonly number[];
}

/** What every extension may use of the outside world. */
export interface ExtensionPorts {
  // oxlint-disable-next-line no-restricted-globals -- the type of the port, not a call around it
  readonly fetch: typeof fetch;
  readonly now: Now;
  readonly newId: () => string;
  readonly log: Log;
  /** Waits; rejects when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  readonly ai?: AiBinding;
  readonly vectorize?: VectorizeBinding;
  /** A file that was deployed beside the code, by its path below assets/; null = there is none. */
  asset?(name: string): Promise<ArrayBuffer | null>;
}
