import { z } from "zod";
import { queueModes } from "#contract/config.ts";
import { replyRouteSchema } from "#contract/message.ts";
import { thinkingLevels } from "#contract/model.ts";
import type { SettingsStore } from "#contract/session-store.ts";

/**
 * The values a session keeps under names: one schema, so that a stored value of an older shape reads
 * as absent instead of breaking the conversation.
 */
const schema = {
  /** `/memory off`: the last entry said before it. */
  memoryOff: z.number(),
  /** Entries said while it was off. */
  memorySkips: z.array(z.object({ from: z.number(), to: z.number() })),
  /** What the memory is owed (core/session/keep-memory.ts), and up to where it has been given. */
  captureDue: z.boolean(),
  capturedSeq: z.number(),
  handOverDue: z.boolean(),
  handedSeq: z.number(),
  memoryBacklog: z.object({ lines: z.number(), chars: z.number() }),
  /** Ended contexts whose last words are not noted yet. */
  closings: z.array(z.string()),
  /** Of the latest contexts: the entry with an owner's last own words. */
  lastWords: z.array(z.object({ sessionId: z.string(), seq: z.number() })),
  /** Parts of the conversation that have left the window, and whose lasting facts are not noted yet. */
  flushes: z.array(
    z.object({
      sessionId: z.string(),
      from: z.number(),
      until: z.number(),
      /** Something from outside was in the window that it left. */
      tainted: z.boolean().optional(),
      /** Times that its next part was asked about in vain. */
      failures: z.number().optional(),
    }),
  ),
  memoryFailures: z.number(),
  /** The latest part that was gone over to forget (core/session/forget-said.ts). */
  forgotSaid: z.object({ id: z.string(), after: z.string().nullable(), changed: z.number() }),
  memoryRetryAt: z.number(),
  /** Makes ids of the frames around text from outside. */
  frameSecret: z.string(),
  /** Present sessionId: changes with every reset. */
  sessionId: z.string(),
  sessionStartedAt: z.number(),
  lastUserMessageAt: z.number(),
  /** Where the last message came from: the route of proactive sends. */
  lastRoute: replyRouteSchema,
  /** The id the platform has given the conversation since it began. */
  movedTo: z.string(),
  /** First transcript entry that is still sent to the model, and the tokens from there on. */
  historyFrom: z.number(),
  historyTokens: z.number(),
  /** Turns of this session that are left out of requests. */
  leftOut: z.number(),
  model: z.string(),
  thinking: z.enum(thinkingLevels),
  queueMode: z.enum(queueModes),
  usageFooter: z.enum(["off", "tokens", "full", "cost"]),
  /** The run of the object that may write for turns: the fence. */
  runner: z.string(),
  /** Counts effects: written before each, so that a replaced isolate dies before it acts. */
  effects: z.number(),
  /** Grows with every busy mark; `busy` says whether the agent holds one. */
  busyMark: z.number(),
  busy: z.boolean(),
  /** Turns that have asked the agent for a lane and not given it back yet. */
  lanes: z.array(z.string()),
  /** Projects this conversation is about, the latest used first. */
  projects: z.array(z.string()),
  /** Messages of an owner since something was last kept for good. */
  sinceRemembered: z.number(),
  /** Ended contexts that still have to be written to R2. */
  toArchive: z.array(z.string()),
  /** Consecutive failures to do so. */
  archiveFailures: z.number(),
  archiveRetryAt: z.number(),
  /**
   * What of the transcript is in the archive alone: up to which entry, in how many parts, the last of them
   * by their numbers; and when last nothing more was to go.
   */
  putAway: z.object({
    seq: z.number(),
    parts: z.number(),
    latest: z.array(z.number()),
    restedAt: z.number(),
  }),
  /** Bytes of the entries that are stored here, up to that one. */
  measured: z.object({ seq: z.number(), bytes: z.number() }),
  /** `/pin`: nothing of it is put away. */
  pinned: z.boolean(),
  /** The context that was begun because everything before it was put away. */
  resumedIn: z.string(),
  /** Consecutive failures of the alarm's work outside a step. */
  workFailures: z.number(),
  workRetryAt: z.number(),
} as const;

type Schema = typeof schema;
export type SettingName = keyof Schema;
export type Setting<Name extends SettingName> = z.infer<Schema[Name]>;

export function getSetting<Name extends SettingName>(
  store: SettingsStore,
  name: Name,
): Setting<Name> | undefined {
  const parsed = schema[name].safeParse(store.get(name));
  return parsed.success ? (parsed.data as Setting<Name>) : undefined;
}

export function setSetting<Name extends SettingName>(
  store: SettingsStore,
  name: Name,
  value: Setting<Name>,
): void {
  store.set(name, value);
}
