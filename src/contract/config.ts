import { z } from "zod";
import { thinkingLevels } from "./model.ts";

/**
 * The configuration document (`PAGURUS_CONFIG`, JSON5). Strict: an unknown key is an error that names
 * its path. Every default lives here and nowhere else.
 */
export const agentIdSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, "lower-case letters, digits, _ and -, at most 64");

export const dmScopes = [
  "main",
  "per-peer",
  "per-channel-peer",
  "per-account-channel-peer",
] as const;
export type DmScope = (typeof dmScopes)[number];

export const queueModes = ["steer", "followup", "collect", "interrupt"] as const;
export type QueueMode = (typeof queueModes)[number];

const resetSchema = z.strictObject({
  mode: z.enum(["none", "daily", "idle"]).default("none"),
  /** Hour of the owner's day, for `daily`. */
  atHour: z.number().int().min(0).max(23).default(4),
  /** Minutes since the last message of a person, for `idle`; with `daily`, the first to expire wins. */
  idleMinutes: z.number().int().positive().optional(),
});
export type ResetPolicy = z.infer<typeof resetSchema>;

/** A platform id: a string or an integer (Telegram's group ids are negative). */
const platformIdSchema = z
  .union([
    z.number().int(),
    z.string().regex(/^(-?\d+|(?=.*[A-Za-z])[A-Za-z0-9_.@:-]+)$/, "a platform id"),
  ])
  .transform(String);

const bindingSchema = z.strictObject({
  agent: agentIdSchema,
  match: z.strictObject({
    channel: z.string().optional(),
    account: z.string().optional(),
    /** Conversation id, sender id in a direct chat, or "*". */
    peer: z.union([z.literal("*"), platformIdSchema]).optional(),
    /** Conversation that contains the thread. */
    parentPeer: platformIdSchema.optional(),
    guild: z.string().optional(),
    team: z.string().optional(),
    roles: z.array(z.string()).optional(),
  }),
});
export type Binding = z.infer<typeof bindingSchema>;

const channelSchema = z.strictObject({
  enabled: z.boolean().default(true),
  dmPolicy: z.enum(["owners", "allowlist", "open", "disabled"]).default("owners"),
  allowFrom: z.array(platformIdSchema).default([]),
  groups: z
    .strictObject({
      /** Which groups are served; "*" = all. Empty = only those where an owner speaks. */
      allow: z.array(z.union([z.literal("*"), telegramGroupId()])).default([]),
      requireMention: z.boolean().default(true),
    })
    .prefault({}),
  streaming: z.enum(["off", "preview"]).default("preview"),
  debounceMs: z.number().int().min(0).max(10_000).default(0),
  /** Further accounts by name; "default" comes from environment variables. `${VAR}` is resolved. */
  accounts: z.record(z.string(), z.record(z.string(), z.string())).default({}),
});
export type ChannelConfig = z.infer<typeof channelSchema>;

/** A conversation id; an entry that is all digits but for a stray character is a typing error. */
function telegramGroupId() {
  return platformIdSchema.refine((id) => !/^-?\d+[A-Za-z]$/.test(id), "not a platform id");
}

const agentSchema = z.strictObject({
  id: agentIdSchema,
  name: z.string().optional(),
  model: z.string().optional(),
  thinking: z.enum(thinkingLevels).optional(),
});

/** An HTTP endpoint of the operator's, offered to the model as a tool. */
const customToolSchema = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
  description: z.string().min(1).max(1000),
  /** The call's arguments are sent here as a JSON POST; `${VAR}` is resolved. */
  url: z.url(),
  headers: z.record(z.string(), z.string()).default({}),
  /** JSON Schema of the arguments. */
  parameters: z.record(z.string(), z.json()).default({ type: "object", properties: {} }),
  replay: z.enum(["safe", "unsafe"]).default("unsafe"),
  level: z.enum(["owner-only", "public"]).default("owner-only"),
  timeoutSeconds: z.number().positive().max(300).default(60),
});
export type CustomToolConfig = z.infer<typeof customToolSchema>;

export const configSchema = z.strictObject({
  agents: z
    .strictObject({
      default: agentIdSchema.default("main"),
      list: z.array(agentSchema).default([]),
    })
    .prefault({}),
  session: z
    .strictObject({
      dmScope: z.enum(dmScopes).default("per-channel-peer"),
      identityLinks: z.record(z.string(), z.array(z.string())).default({}),
      reset: resetSchema.prefault({}),
      resetByKind: z
        .strictObject({
          direct: resetSchema.optional(),
          group: resetSchema.optional(),
          channel: resetSchema.optional(),
        })
        .prefault({}),
      /**
       * Estimated tokens of history sent with a request. When a conversation has grown past it, the
       * oldest turns are left out down to half of it, so that the prompt's prefix stays cacheable.
       */
      historyTokens: z.number().int().min(1000).default(32_000),
    })
    .prefault({}),
  bindings: z.array(bindingSchema).default([]),
  channels: z.record(z.string(), channelSchema).default({}),
  queue: z
    .strictObject({
      mode: z.enum(queueModes).default("steer"),
      cap: z.number().int().min(1).max(200).default(20),
    })
    .prefault({}),
  models: z
    .strictObject({
      /** `provider/model`; the variable MODEL wins. */
      default: z.string().optional(),
      thinking: z.enum(thinkingLevels).default("off"),
      /** Tries of one model call before the person is told. */
      attempts: z.number().int().min(1).max(8).default(4),
      maxOutputTokens: z.number().int().min(256).default(8192),
    })
    .prefault({}),
  limits: z
    .strictObject({
      /** Model calls in one turn. */
      steps: z.number().int().min(1).max(500).default(60),
      /** Wall time of one turn. */
      turnSeconds: z.number().min(1).default(1800),
      /** Wall time without any event from the model. */
      streamIdleSeconds: z.number().min(1).default(60),
      toolSeconds: z.number().min(1).default(120),
    })
    .prefault({}),
  tools: z.strictObject({ custom: z.array(customToolSchema).default([]) }).prefault({}),
  bootstrap: z
    .strictObject({
      /** Characters of one workspace file in the prompt, and of all of them together. */
      fileChars: z.number().int().min(500).default(20_000),
      totalChars: z.number().int().min(1000).default(60_000),
    })
    .prefault({}),
});
export type Config = z.infer<typeof configSchema>;

/** Settings of a channel that the document does not mention. */
export function channelConfig(config: Config, channel: string): ChannelConfig {
  return config.channels[channel] ?? channelSchema.parse({});
}
