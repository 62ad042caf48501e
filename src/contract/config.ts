import { z } from "zod";
import { thinkingLevels } from "./model.ts";

/**
 * The configuration document (`PAGURUS_CONFIG`, JSON5). Every default lives here and nowhere else.
 * The schema is strict, so that an unknown key is found; what a fault costs (a warning, a section, all
 * access) is decided by core/config. `${VAR}` is replaced before this schema sees the document.
 */
export const agentIdSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/, "lower-case letters, digits, _ and -, at most 64");

const dmScopes = ["main", "per-peer", "per-channel-peer", "per-account-channel-peer"] as const;

export const queueModes = ["steer", "followup", "collect", "interrupt"] as const;
export type QueueMode = (typeof queueModes)[number];

const resetSchema = z
  .strictObject({
    mode: z.enum(["none", "daily", "idle"]).default("none"),
    /** Hour of the owner's day, for `daily`. */
    atHour: z.number().int().min(0).max(23).default(4),
    /** Minutes since the last message of a person, for `idle`; with `daily`, the first to expire wins. */
    idleMinutes: z.number().int().positive().optional(),
  })
  .refine((policy) => policy.mode !== "idle" || policy.idleMinutes !== undefined, {
    path: ["idleMinutes"],
    message: "mode idle needs idleMinutes",
  });
export type ResetPolicy = z.infer<typeof resetSchema>;

/** What stays in a conversation's own storage; the rest goes to R2 and is never deleted there. */
const retentionSchema = z.strictObject({
  /** Days an entry stays. What the next request would be given stays in any case. */
  days: z.number().positive().max(3650).default(30),
  /** Megabytes a transcript may have before its oldest part goes. */
  megabytes: z.number().positive().max(1000).default(10),
  /** Conversations of an agent; of more, the longest unused are put away. */
  sessions: z.number().int().min(1).max(10_000).default(500),
  /** Session keys, or addresses (`channel:conversation`), of which nothing is put away. */
  pinned: z.array(z.string()).default([]),
});
export type RetentionConfig = z.infer<typeof retentionSchema>;

/**
 * A platform id: an integer (Telegram's group ids are negative), or text without spaces. Text that is
 * a number but for one stray character is a typing error, which would silently match nobody.
 */
const platformIdSchema = z
  .union(
    [
      z.number().int(),
      z
        .string()
        .regex(/^(-?\d+|(?!-)[\p{L}\p{N}_.@:+=/-]*[\p{L}\p{N}_=])$/u)
        .refine((id) => !/^\d+[A-Za-z]$/.test(id)),
    ],
    "not a platform id",
  )
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
      allow: z.array(z.union([z.literal("*"), platformIdSchema])).default([]),
      requireMention: z.boolean().default(true),
    })
    .prefault({}),
  streaming: z.enum(["off", "preview"]).default("preview"),
  debounceMs: z.number().int().min(0).max(10_000).default(0),
  /** Accounts by name; for "default", environment variables come on top. `${VAR}` is resolved. */
  accounts: z.record(z.string(), z.record(z.string(), z.string())).default({}),
});
export type ChannelConfig = z.infer<typeof channelSchema>;

const agentSchema = z.strictObject({
  id: agentIdSchema,
  model: z.string().optional(),
  thinking: z.enum(thinkingLevels).optional(),
});

/** An HTTP endpoint of the operator's, offered to the model as a tool. */
const customToolSchema = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
  description: z.string().min(1).max(1000),
  /** The call's arguments are sent here as a JSON POST; `${VAR}` is resolved. */
  url: z.url({ protocol: /^https?$/ }),
  headers: z.record(z.string(), z.string()).default({}),
  /** JSON Schema of the arguments; of an object. */
  parameters: z
    .record(z.string(), z.json())
    .refine(isObjectSchema, "not a JSON Schema of an object")
    .default({ type: "object", properties: {} }),
  replay: z.enum(["safe", "unsafe"]).default("unsafe"),
  level: z.enum(["owner-only", "public"]).default("owner-only"),
  timeoutSeconds: z.number().positive().max(300).default(60),
});
export type CustomToolConfig = z.infer<typeof customToolSchema>;

function isObjectSchema(schema: Record<string, unknown>): boolean {
  if (schema["type"] !== "object") return false;
  try {
    z.fromJSONSchema(schema);
    return true;
  } catch {
    // Zod throws plain errors for what it cannot express; whatever it is, the entry is refused.
    return false;
  }
}

const recallStyles = [
  "balanced",
  "strict",
  "contextual",
  "recall-heavy",
  "precision-heavy",
  "preference-only",
] as const;
export type RecallStyle = (typeof recallStyles)[number];

const memorySchema = z.strictObject({
  /** False: nothing is searched, written or dreamt by the assistant itself. */
  enabled: z.boolean().default(true),
  /** What owners say about themselves is kept by rule, without a model. */
  autoCapture: z.boolean().default(true),
  /** A search before the answer: never, when a message asks for it, or always. */
  recall: z.enum(["off", "escalate", "always"]).default("escalate"),
  recallStyle: z.enum(recallStyles).default("balanced"),
  /** How much of the conversation the search goes by. */
  recallFrom: z.enum(["message", "recent", "full"]).default("recent"),
  /** Notes of today and yesterday with each message of an owner's, framed like text of somebody else. */
  dailyNotesInContext: z.enum(["off", "wrapped"]).default("off"),
  /**
   * Who else gets the memory: names of session.identityLinks, or `channel:peer`; `channel:group:<id>`
   * opens it to whoever reads that group.
   */
  shareWith: z.array(z.string()).default([]),
  /** Where vectors are searched; auto = Vectorize where it is bound, else in the agent itself. */
  vectors: z.enum(["auto", "vectorize", "embedded", "none"]).default("auto"),
  dreaming: z
    .strictObject({
      enabled: z.boolean().default(true),
      /** Hour of the owner's day. */
      atHour: z.number().int().min(0).max(23).default(3),
      /** `provider/model`; absent = the agent's own. */
      model: z.string().optional(),
      /** Characters of MEMORY.md. */
      budget: z.number().int().min(2000).max(20_000).default(12_000),
    })
    .prefault({}),
});
export type MemoryConfig = z.infer<typeof memorySchema>;

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
      /** Person → what they are called elsewhere: a peer id, or `channel:peer`. */
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
      retention: retentionSchema.prefault({}),
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
  memory: memorySchema.prefault({}),
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
