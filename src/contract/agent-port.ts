import { z } from "zod";
import type { Dreaming } from "./dream-run.ts";
import type { Intent, Intents } from "./intent.ts";
import { usageSchema } from "./model.ts";
import type { Memory } from "./memory.ts";
import type { MemoryUpkeep } from "./upkeep.ts";
import type { Workspace } from "./workspace.ts";

/** What a session may ask of its agent (AgentDO). Every call may fail; the caller decides. */
export interface AgentPort {
  /**
   * Makes the session known and marks it as having work, so that the sweeper wakes it if its alarm is
   * lost. Idempotent. `mark` grows with each call of a session.
   */
  markBusy(entry: BusyEntry): Promise<void>;

  /**
   * Takes or renews a lane for a turn and returns what the prompt needs. Idempotent per turn id. The
   * bootstrap is left out when its version is the one the caller has.
   */
  beginStep(request: BeginStep): Promise<StepGrant>;

  /** The prompt's files as they are now, outside any turn. */
  bootstrap(): Promise<Bootstrap>;

  /** Frees the lane and takes over usage rows (idempotent per row id). Safe to repeat. */
  endTurn(request: EndTurn): Promise<void>;

  /**
   * Directory entry of a session, for sends to another conversation, by its key or its address
   * (compared without case). Null when unknown.
   */
  findSession(keyOrAddress: string): Promise<SessionEntry | null>;

  /** Latest activity first. */
  listSessions(limit: number): Promise<SessionEntry[]>;

  /** Notes that a session's owner wants all of it at hand, or no longer. Safe to repeat. */
  pinSession(sessionKey: string, isPinned: boolean): Promise<void>;

  /** Takes a session out of the directory, which is about to delete itself. Safe to repeat. */
  forgetSession(sessionKey: string): Promise<void>;

  readonly workspace: Workspace;
  readonly memory: Memory;
  readonly intents: Intents;
  readonly dreaming: Dreaming;
  readonly upkeep: MemoryUpkeep;
}

export interface SessionEntry {
  readonly sessionKey: string;
  readonly lastActiveAt: number;
  /** It was long unused, and what was said in it is in the archive. */
  readonly archived?: boolean;
  /** All of it stays at hand. */
  readonly pinned?: boolean;
}

export interface BusyEntry {
  readonly sessionKey: string;
  readonly mark: number;
  /** `channel:conversation[:thread]` in the platform's spelling: another way to name the session. */
  readonly address?: string;
}

export interface BeginStep {
  readonly sessionKey: string;
  readonly turnId: string;
  readonly lane: Lane;
  readonly knownBootstrap?: string;
}

export type Lane = "main" | "subagent" | "cron" | "nested";

export type StepGrant =
  | { readonly granted: true; readonly bootstrap: Bootstrap | null }
  /** The lane is full: ask again after `retryAfterMs`, or when woken. */
  | { readonly granted: false; readonly retryAfterMs: number };

/** The workspace files that go into the prompt, whole, in no particular order. */
export interface Bootstrap {
  readonly version: string;
  readonly files: readonly BootstrapText[];
  /** The trusted entries of MEMORY.md and USER.md, in their order; absent where nothing is known. */
  readonly curated?: readonly CuratedEntry[];
  /** Standing intents that may come up. */
  readonly intents?: readonly Intent[];
}

export interface BootstrapText {
  readonly path: string;
  /** Of curated files what the owner or the agent stands behind, without entry notes. */
  readonly text: string;
  /** Lines kept from the prompt because nobody to be trusted is known to have written them. */
  readonly leftOut?: number;
}

/** One line of a curated file, as automatic recall may use it. */
export interface CuratedEntry {
  readonly path: string;
  /** Without list marker and entry notes. */
  readonly text: string;
  readonly hash: string;
  readonly trust: "owner" | "agent";
  readonly triggers: readonly string[];
  /** 1 to 10; null = neutral. */
  readonly importance: number | null;
  readonly projects: readonly string[];
  /** False: superseded. */
  readonly active: boolean;
}

export interface EndTurn {
  readonly sessionKey: string;
  readonly turnId: string;
  readonly usage: readonly UsageRow[];
}

/** One model call, as it is paid for. */
export const usageRowSchema = usageSchema.extend({
  /** `turnId:step:attempt`. */
  id: z.string(),
  agentId: z.string(),
  sessionKey: z.string(),
  sessionId: z.string(),
  turnId: z.string(),
  provider: z.string(),
  model: z.string(),
  latencyMs: z.number(),
  /** US dollars; null when the price or what was used is not known. */
  cost: z.number().nullable(),
  /** The model's server did not say what was used: the token counts are none. */
  unreported: z.boolean().optional(),
  at: z.number(),
});
export type UsageRow = z.infer<typeof usageRowSchema>;
