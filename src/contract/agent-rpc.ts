import { z } from "zod";
import type {
  BeginStep,
  Bootstrap,
  BusyEntry,
  EndTurn,
  SessionEntry,
  StepGrant,
} from "./agent-port.ts";
import type {
  GrepQuery,
  GrepResult,
  WorkspaceEntry,
  WorkspaceFile,
  WorkspaceOperation,
  WorkspaceResult,
} from "./workspace.ts";

/**
 * What AgentDO answers over RPC: plain data in, plain data out. Sessions see it as an AgentPort, the
 * Worker calls it for notices, listings and the sweep.
 */
export interface AgentRpc {
  markBusy(entry: BusyEntry): Promise<void>;
  beginStep(request: BeginStep): Promise<StepGrant>;
  bootstrap(): Promise<Bootstrap>;
  endTurn(request: EndTurn): Promise<void>;
  findSession(keyOrAddress: string): Promise<SessionEntry | null>;
  forgetSession(sessionKey: string): Promise<void>;
  /** Latest activity first. */
  listSessions(limit: number): Promise<SessionEntry[]>;
  readFile(path: string): Promise<WorkspaceFile | null>;
  listFolder(folder: string): Promise<WorkspaceEntry[]>;
  grepFiles(query: GrepQuery): Promise<GrepResult>;
  applyOperation(operation: WorkspaceOperation): Promise<WorkspaceResult>;
  /** True: this stranger has not been told anything yet and may be, now. Holds for a minute. */
  claimNotice(key: NoticeKey): Promise<boolean>;
  /** The notice went out; there will be no other. */
  markNotice(key: NoticeKey): Promise<void>;
  /** Wakes the sessions that are marked as having work. Called by the cron. */
  sweep(): Promise<SweepReport>;
}

export interface NoticeKey {
  readonly channel: string;
  readonly account: string;
  readonly peer: string;
}

export interface SweepReport {
  /** Sessions that were woken and answered. */
  readonly woken: number;
}

/** Why an agent wakes a session: the regular sweep, or a lane that has become free. */
export type WakeReason = "sweep" | "lane";

/** What a session answers to a wake: has it nothing to do, and its latest busy mark. */
export const wakeAnswerSchema = z.object({ idle: z.boolean(), mark: z.number() });
export type WakeAnswer = z.infer<typeof wakeAnswerSchema>;
