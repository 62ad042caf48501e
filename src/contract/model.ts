import { z } from "zod";
import type { JsonObject } from "./json.ts";
import type { ModelFault } from "./fault.ts";

/** Neutral shapes of a conversation with a model. Stored in transcripts, so zod owns the types. */
export const textPartSchema = z.object({ type: z.literal("text"), text: z.string() });

/** Bytes live in R2 under `mediaKey`. */
export const mediaPartSchema = z.object({
  type: z.enum(["image", "file"]),
  mediaKey: z.string(),
  mimeType: z.string(),
  name: z.string(),
});

export const userPartSchema = z.discriminatedUnion("type", [
  textPartSchema,
  mediaPartSchema.extend({ type: z.literal("image") }),
  mediaPartSchema.extend({ type: z.literal("file") }),
]);
export type UserPart = z.infer<typeof userPartSchema>;

/** A tool call as the model made it. `arguments` is the raw JSON text: it may be cut or invalid. */
export const toolCallSchema = z.object({
  type: z.literal("tool-call"),
  id: z.string(),
  name: z.string(),
  arguments: z.string(),
});
export type ToolCall = z.infer<typeof toolCallSchema>;

export const thinkingPartSchema = z.object({
  type: z.literal("thinking"),
  text: z.string(),
  /** The provider's proof; must go back unchanged, only to the provider that made it. */
  signature: z.string().optional(),
  /** Encrypted thinking: opaque, sent back as it came. */
  redacted: z.string().optional(),
  /** Id of the provider that made it; others drop the part. */
  provider: z.string(),
});

export const assistantPartSchema = z.discriminatedUnion("type", [
  textPartSchema,
  thinkingPartSchema,
  toolCallSchema,
]);
export type AssistantPart = z.infer<typeof assistantPartSchema>;

export const toolResultSchema = z.object({
  callId: z.string(),
  name: z.string(),
  text: z.string(),
  isError: z.boolean(),
  /** From outside as a whole, or in parts that are framed as such already (kit/external-content.ts). */
  outside: z.enum(["whole", "part"]).optional(),
});
export type ToolResult = z.infer<typeof toolResultSchema>;

export const modelMessageSchema = z.discriminatedUnion("role", [
  z.object({ role: z.literal("user"), content: z.array(userPartSchema) }),
  z.object({ role: z.literal("assistant"), content: z.array(assistantPartSchema) }),
  z.object({ role: z.literal("tool"), results: z.array(toolResultSchema) }),
]);
export type ModelMessage = z.infer<typeof modelMessageSchema>;
export type AssistantMessage = Extract<ModelMessage, { role: "assistant" }>;

export const thinkingLevels = ["off", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type ThinkingLevel = (typeof thinkingLevels)[number];

/** Tokens as the provider counted them. `input` excludes what was read from or written to a cache. */
export const usageSchema = z.object({
  input: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
});
export type Usage = z.infer<typeof usageSchema>;

export type StopReason = "end" | "tool-calls" | "length" | "refusal";

export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  /** JSON Schema (draft 2020-12) of an object; a provider cleans it to what it accepts. */
  readonly parameters: JsonObject;
}

/** A part of the system prompt. Segments are joined by a blank line, in order. */
export interface SystemSegment {
  readonly text: string;
  /** True: a cache boundary lies after this segment. */
  readonly cacheBoundary: boolean;
}

export interface ModelRequest {
  readonly model: string;
  readonly system: readonly SystemSegment[];
  /** Repaired already: alternating roles, every call with its result, nothing blank. */
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSchema[];
  readonly maxOutputTokens: number;
  readonly thinking: ThinkingLevel;
  /** Stable per conversation: a prompt cache key, never a person's id. */
  readonly cacheKey: string;
}

/**
 * What a model call yields. Exactly one `finish` or `error` comes, and it comes last. Deltas are for
 * display only: `finish.message` is whole and authoritative.
 */
export type ModelEvent =
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "thinking-delta"; readonly text: string }
  /** What the call has used so far: it counts if no `finish` comes. */
  | { readonly type: "usage"; readonly usage: Usage }
  | {
      readonly type: "finish";
      readonly stopReason: StopReason;
      readonly message: AssistantMessage;
      /** Null: the model's server did not report any. */
      readonly usage: Usage | null;
    }
  | { readonly type: "error"; readonly fault: ModelFault };

export interface ModelInfo {
  readonly id: string;
  /** Tokens. */
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  readonly thinkingLevels: readonly ThinkingLevel[];
  readonly images: boolean;
  /** Answers by rules of its own: of no use for looking up, summing up or merging. */
  readonly scripted?: true;
  /** US dollars per million tokens; absent = unknown, shown as such. */
  readonly price?: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
  };
}
