import { z } from "zod";
import type {
  BeginStep,
  Bootstrap,
  BusyEntry,
  EndTurn,
  SessionEntry,
  StepGrant,
} from "./agent-port.ts";
import type { DreamMode, DreamStatus, UndoReport } from "./dream-run.ts";
import type { Intent, IntentReceipt, NewIntent } from "./intent.ts";
import type {
  MemoryAnswer,
  MemoryPlace,
  MemoryQuery,
  MemoryStatus,
  MemoryText,
  NoteReceipt,
  NoteRequest,
  TranscriptBatch,
} from "./memory.ts";
import type { ClassifiedFile } from "./provenance.ts";
import type {
  ForgetOffer,
  ForgetProgress,
  ForgetRequest,
  MemoryTrace,
  OfferRequest,
  WaitingLines,
} from "./upkeep.ts";
import type {
  GrepQuery,
  GrepResult,
  KeptVersion,
  RestoreVersion,
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
  pinSession(sessionKey: string, isPinned: boolean): Promise<void>;
  /** Latest activity first. */
  listSessions(limit: number): Promise<SessionEntry[]>;
  readFile(path: string): Promise<WorkspaceFile | null>;
  listFolder(folder: string): Promise<WorkspaceEntry[]>;
  grepFiles(query: GrepQuery): Promise<GrepResult>;
  applyOperation(operation: WorkspaceOperation): Promise<WorkspaceResult>;
  /** Kept versions of a file, newest first; their text; and one of them back, once per operation. */
  listVersions(path: string): Promise<readonly KeptVersion[]>;
  readVersion(path: string, id: string): Promise<string | null>;
  restoreVersion(request: RestoreVersion): Promise<WorkspaceResult>;
  /** The owner stands behind what was written into a memory file from outside: how many lines. */
  adoptLines(path: string): Promise<number>;
  /** Takes lines out of all that is kept of them, a bounded part at a time: made again with the same id. */
  forgetLines(request: ForgetLines): Promise<ForgottenLines>;
  /** Takes over what is new in a transcript, each line once. Safe to repeat. */
  ingestTranscript(batch: TranscriptBatch): Promise<void>;
  searchMemory(query: MemoryQuery): Promise<MemoryAnswer>;
  readMemory(place: MemoryPlace): Promise<MemoryText | null>;
  memoryStatus(): Promise<MemoryStatus>;
  addNote(request: NoteRequest): Promise<NoteReceipt>;
  createIntent(intent: NewIntent, key: string): Promise<IntentReceipt>;
  listIntents(): Promise<readonly Intent[]>;
  closeIntent(id: string, status: "done" | "cancelled"): Promise<IntentReceipt>;
  fireIntents(ids: readonly string[], turnId: string): Promise<readonly Intent[]>;
  /** Drops the index and builds it again from the files. */
  rebuildMemory(): Promise<MemoryStatus>;
  /** Paths of all sources of the memory, and one of them with the class of each line. */
  listMemory(): Promise<readonly string[]>;
  readClassified(path: string): Promise<ClassifiedFile | null>;
  /** The parts of MemoryUpkeep, under names of their own. */
  traceMemory(text: string, identity: string | null): Promise<readonly MemoryTrace[]>;
  offerForgetting(request: OfferRequest): Promise<ForgetOffer>;
  forgetOffered(request: ForgetRequest): Promise<ForgetProgress>;
  listForgetting(): Promise<readonly ForgetProgress[]>;
  waitingLines(): Promise<readonly WaitingLines[]>;
  /** Drops the index and begins to build it again; the alarm does the rest. */
  startRebuild(): Promise<void>;
  startDream(mode: DreamMode, key: string): Promise<string>;
  dreamStatus(): Promise<DreamStatus>;
  switchDreams(on: boolean): Promise<void>;
  explainDream(text: string): Promise<string>;
  undoDream(runId: string | null, force: boolean, key: string): Promise<UndoReport>;
  /** True: this stranger has not been told anything yet and may be, now. Holds for a minute. */
  claimNotice(key: NoticeKey): Promise<boolean>;
  /** The notice went out; there will be no other. */
  markNotice(key: NoticeKey): Promise<void>;
  /** Wakes the sessions that are marked as having work. Called by the cron. */
  sweep(): Promise<SweepReport>;
}

export interface ForgetLines {
  readonly operationId: string;
  /** Of lines, or of what lines say (core/memory/forgotten.ts). */
  readonly hashes: readonly string[];
  /** Lines of files, and sentences of transcripts, that say one of these (kit/text/forget-text.ts). */
  readonly texts?: readonly string[];
}

export interface ForgottenLines {
  readonly removed: readonly { readonly path: string; readonly lines: number }[];
  /** Kept versions that were rewritten. */
  readonly versions: number;
  /** Files that say it and could not be changed; everything else was done. */
  readonly refused: readonly string[];
  /** That was not all: made again it goes on, and in the end it tells of all of it. */
  readonly more?: true;
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
