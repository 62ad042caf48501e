import { DurableObject } from "cloudflare:workers";
import type {
  BeginStep,
  Bootstrap,
  BusyEntry,
  EndTurn,
  SessionEntry,
  StepGrant,
} from "#contract/agent-port.ts";
import type { DreamMode, DreamStatus, UndoReport } from "#contract/dream-run.ts";
import type { Intent, IntentReceipt, NewIntent } from "#contract/intent.ts";
import type {
  AgentRpc,
  ForgetLines,
  ForgottenLines,
  NoticeKey,
  SweepReport,
} from "#contract/agent-rpc.ts";
import type {
  MemoryAnswer,
  MemoryPlace,
  MemoryQuery,
  MemoryStatus,
  MemoryText,
  NoteReceipt,
  NoteRequest,
  TranscriptBatch,
} from "#contract/memory.ts";
import type { ClassifiedFile } from "#contract/provenance.ts";
import type {
  ForgetOffer,
  ForgetProgress,
  ForgetRequest,
  MemoryTrace,
  OfferRequest,
  WaitingLines,
} from "#contract/upkeep.ts";
import type {
  GrepQuery,
  GrepResult,
  KeptVersion,
  RestoreVersion,
  WorkspaceEntry,
  WorkspaceFile,
  WorkspaceOperation,
  WorkspaceResult,
} from "#contract/workspace.ts";
import { everySource } from "#core/memory/every-source.ts";
import { bootstrapGrant, nothingKnown } from "#core/workspace/bootstrap.ts";
import { errorText } from "#kit/error-text.ts";
import { createAgentParts, type AgentParts } from "#wiring/agent-object.ts";

/**
 * One agent (the object's name is its id): what its conversations share. It serialises workspace writes, hands
 * out lanes, knows the sessions, and takes usage to D1. It sends to no platform and calls a model only to
 * dream; of sessions it asks only to wake up and to hand over. Storage is the truth, memory only a cache, but
 * for the lanes.
 */
export class AgentDO extends DurableObject<Env> implements AgentRpc {
  readonly #parts: AgentParts;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#parts = createAgentParts(state, env);
  }

  async markBusy(entry: BusyEntry): Promise<void> {
    this.#parts.sessions.markBusy(entry);
  }

  async beginStep(request: BeginStep): Promise<StepGrant> {
    const lane = this.#parts.lanes.take(request);
    if (!lane.granted) return lane;
    const current = await this.#parts.files.bootstrap.current();
    return { granted: true, bootstrap: bootstrapGrant(current, request.knownBootstrap) };
  }

  async bootstrap(): Promise<Bootstrap> {
    return (await this.#parts.files.bootstrap.current()) ?? nothingKnown;
  }

  async endTurn(request: EndTurn): Promise<void> {
    this.#parts.usage.add(request.usage);
    const next = this.#parts.lanes.release(request.turnId);
    if (next !== null) this.#wakeSoon([next]);
  }

  async findSession(keyOrAddress: string): Promise<SessionEntry | null> {
    return this.#parts.sessions.find(keyOrAddress);
  }

  async forgetSession(sessionKey: string): Promise<void> {
    this.#parts.sessions.forget(sessionKey);
  }

  async pinSession(sessionKey: string, isPinned: boolean): Promise<void> {
    this.#parts.sessions.pin(sessionKey, isPinned);
  }

  async listSessions(limit: number): Promise<SessionEntry[]> {
    return this.#parts.sessions.list(limit);
  }

  readFile(path: string): Promise<WorkspaceFile | null> {
    return this.#parts.files.reader.read(path);
  }

  listFolder(folder: string): Promise<WorkspaceEntry[]> {
    return this.#parts.files.reader.list(folder);
  }

  grepFiles(query: GrepQuery): Promise<GrepResult> {
    return this.#parts.files.reader.grep(query);
  }

  applyOperation(operation: WorkspaceOperation): Promise<WorkspaceResult> {
    return this.#parts.files.writer.apply(operation);
  }

  listVersions(path: string): Promise<readonly KeptVersion[]> {
    return this.#parts.upkeep.versions(path);
  }

  readVersion(path: string, id: string): Promise<string | null> {
    return this.#parts.upkeep.version(path, id);
  }

  restoreVersion(request: RestoreVersion): Promise<WorkspaceResult> {
    return this.#parts.upkeep.restore(request);
  }

  adoptLines(path: string): Promise<number> {
    return this.#parts.files.adopt(path);
  }

  forgetLines(request: ForgetLines): Promise<ForgottenLines> {
    return this.#parts.files.forget(request);
  }

  ingestTranscript(batch: TranscriptBatch): Promise<void> {
    return this.#parts.files.transcripts.ingest(batch);
  }

  createIntent(intent: NewIntent, key: string): Promise<IntentReceipt> {
    return this.#parts.intents.create(intent, key);
  }

  listIntents(): Promise<readonly Intent[]> {
    return this.#parts.intents.list();
  }

  closeIntent(id: string, status: "done" | "cancelled"): Promise<IntentReceipt> {
    return this.#parts.intents.close(id, status);
  }

  fireIntents(ids: readonly string[], turnId: string): Promise<readonly Intent[]> {
    return this.#parts.intents.fire(ids, turnId);
  }

  searchMemory(query: MemoryQuery): Promise<MemoryAnswer> {
    return this.#parts.memory.service.search(query);
  }

  readMemory(place: MemoryPlace): Promise<MemoryText | null> {
    return this.#parts.memory.service.read(place);
  }

  memoryStatus(): Promise<MemoryStatus> {
    return this.#parts.memory.service.status();
  }

  addNote(request: NoteRequest): Promise<NoteReceipt> {
    return this.#parts.files.notes.note(request);
  }

  async rebuildMemory(): Promise<MemoryStatus> {
    await this.#parts.upkeep.rebuildNow();
    return this.#parts.memory.service.status();
  }

  async listMemory(): Promise<readonly string[]> {
    const { files } = this.#parts;
    return (await everySource((after) => files.listMemory(after))).map(({ path }) => path);
  }

  readClassified(path: string): Promise<ClassifiedFile | null> {
    return this.#parts.files.readClassified(path);
  }

  traceMemory(text: string, identity: string | null): Promise<readonly MemoryTrace[]> {
    return this.#parts.upkeep.why(text, identity);
  }

  offerForgetting(request: OfferRequest): Promise<ForgetOffer> {
    return this.#parts.upkeep.offer(request);
  }

  forgetOffered(request: ForgetRequest): Promise<ForgetProgress> {
    return this.#parts.upkeep.forget(request);
  }

  listForgetting(): Promise<readonly ForgetProgress[]> {
    return this.#parts.upkeep.forgetting();
  }

  waitingLines(): Promise<readonly WaitingLines[]> {
    return this.#parts.upkeep.waiting();
  }

  startRebuild(): Promise<void> {
    return this.#parts.upkeep.rebuild();
  }

  startDream(mode: DreamMode, key: string): Promise<string> {
    return this.#parts.dreaming.start(mode, key);
  }

  dreamStatus(): Promise<DreamStatus> {
    return this.#parts.dreaming.status();
  }

  switchDreams(on: boolean): Promise<void> {
    return this.#parts.dreaming.switch(on);
  }

  explainDream(text: string): Promise<string> {
    return this.#parts.dreaming.explain(text);
  }

  undoDream(runId: string | null, force: boolean, key: string): Promise<UndoReport> {
    return this.#parts.dreaming.undo(runId, force, key);
  }

  async claimNotice(key: NoticeKey): Promise<boolean> {
    return this.#parts.notices.claim(key);
  }

  async markNotice(key: NoticeKey): Promise<void> {
    this.#parts.notices.mark(key);
  }

  async sweep(): Promise<SweepReport> {
    this.#wakeSoon(this.#parts.lanes.expire());
    return this.#parts.sweep();
  }

  override async alarm(): Promise<void> {
    await this.#parts.runDueWork();
  }

  /** For turns that wait for a lane: they also ask again by themselves, so a failure is no loss. */
  #wakeSoon(sessionKeys: readonly string[]): void {
    for (const key of sessionKeys) {
      const woken = this.#parts.wake(key, "lane").catch((error: unknown) => {
        this.#parts.log.warn("lane.wake_failed", { session: key, error: errorText(error) });
      });
      this.ctx.waitUntil(woken);
    }
  }
}
