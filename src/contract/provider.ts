import type { z } from "zod";
import type { FetchedMedia } from "./channel.ts";
import type { ModelEvent, ModelInfo, ModelRequest } from "./model.ts";
import type { ExtensionPorts } from "./ports.ts";

/** A service that runs models. */
export interface Provider {
  readonly id: string;
  /** Models worth offering in /models; any other id is passed on as it is. */
  readonly models: readonly ModelInfo[];
  /** The model used when only the provider is named. */
  readonly defaultModel: string;
  /** Facts about a model, with safe assumptions for an unknown id. Pure. */
  describe(model: string): ModelInfo;
  /**
   * One model call. Never rejects and never retries: failures are a last `error` event, classified.
   * Ends soon after `signal` aborts, with reason `aborted` (or `timeout` if the signal's reason is a
   * TimeoutError).
   */
  stream(request: ModelRequest, context: StreamContext): AsyncIterable<ModelEvent>;
}

export interface StreamContext {
  readonly signal: AbortSignal;
  /** Bytes of an image or file in the request. Null when it is gone: say so in its place. */
  readMedia(mediaKey: string): Promise<FetchedMedia | null>;
}

/** Where this runs. */
export interface Place {
  /** False: on somebody's own machine. */
  readonly deployed: boolean;
  readonly ports: ExtensionPorts;
}

export interface ProviderExtension<Settings = unknown> {
  readonly kind: "provider";
  readonly id: string;
  /** Setting name → environment variable. */
  readonly environment: Readonly<Record<string, string>>;
  /** Required settings are what the provider cannot do without. */
  readonly settings: z.ZodType<Settings>;
  /** Ids of its models, for people who ask for one before the provider is set up. */
  readonly offers?: readonly string[];
  /**
   * Why it cannot work here, whatever is set: a note for people. Undefined = it can. Absent = wherever
   * its settings are given. It is neither made nor called where it cannot.
   */
  obstacle?(place: Place): string | undefined;
  create(settings: Settings, ports: ExtensionPorts): Provider;
}
