import type { z } from "zod";
import type { ExtensionPorts } from "./ports.ts";
import type { Place } from "./provider.ts";
import type { Result } from "./result.ts";

/** Turns texts into vectors whose cosine says how near their meanings are. */
export interface Embedder {
  /** `extension/model`: two vectors are compared only if this is the same. Part of each stored vector. */
  readonly model: string;
  readonly dimensions: number;
  /** Texts of one call at most; callers batch. */
  readonly batchSize: number;
  readonly fusion: FusionProfile;
  /**
   * Unit vectors in the order of the texts; null for a text about which it can say nothing. Never
   * rejects: the error is for the operator, without secrets. Ends soon after `signal` aborts.
   */
  embed(
    texts: readonly string[],
    purpose: "passage" | "query",
    signal: AbortSignal,
  ): Promise<Result<readonly (Float32Array | null)[], string>>;
}

/** How its cosines are joined with keyword scores: measured per embedder, see `npm run bench -- memory`. */
export interface FusionProfile {
  /** Weight of the cosine, where the best keyword score counts 1. */
  readonly weight: number;
  /** A cosine at or below it says nothing. */
  readonly floor: number;
  /** Share of its neighbours' vectors in a passage's own; 0 where the model reads context by itself. */
  readonly previous: number;
  readonly next: number;
}

export interface EmbedderExtension<Settings = unknown> {
  readonly kind: "embedder";
  readonly id: string;
  /** Setting name → environment variable. */
  readonly environment: Readonly<Record<string, string>>;
  readonly settings: z.ZodType<Settings>;
  /** Why it cannot work here, whatever is set; undefined = it can. */
  obstacle?(place: Place): string | undefined;
  create(settings: Settings, ports: ExtensionPorts): Embedder;
}
