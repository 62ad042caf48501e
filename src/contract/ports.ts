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
}
