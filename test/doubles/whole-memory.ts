import type { DreamRequest } from "#contract/dreaming.ts";
import type { AgentPort, Bootstrap } from "#contract/agent-port.ts";
import type { WorkspaceOperation, WorkspaceResult } from "#contract/workspace.ts";
import { DreamStore } from "#core/dreaming/dream-store.ts";
import { dreamStep, startNight } from "#core/dreaming/driver.ts";
import { nightPorts } from "#core/dreaming/night-ports.ts";
import { noteDay } from "#core/memory/note-format.ts";
import type { VectorSide } from "#core/memory/search.ts";
import { MemoryDocuments } from "./documents.ts";
import { memoryIntents } from "./intents.ts";
import { MemoryLedgerStore } from "./ledger-store.ts";
import { DirtyPathsDouble } from "./dirty-paths.ts";
import { MemoryIndexDouble } from "./memory-index.ts";
import { vectorSide, type EmbedderDouble } from "./memory-world.ts";
import { MemoryTranscriptStore } from "./transcript-store.ts";
import {
  openFiles,
  openSearch,
  silent,
  timeZone,
  type WholeMemoryStorage,
} from "./whole-memory-parts.ts";
import { MemoryOperationLog, MemoryWorkspaceStore } from "./workspace-store.ts";

/** What a night's model answers to a prompt; null = it fails. */
export type DreamModel = (user: string) => string | null;

export interface WholeMemoryOptions {
  /** Milliseconds since the epoch. */
  readonly start?: number;
  readonly embedder?: EmbedderDouble | null;
  /** Null = there is none. */
  readonly model?: DreamModel | null;
  readonly budget?: number;
}

/**
 * One agent's memory with everything real but storage and models: writer, ledger, classes, bootstrap,
 * transcripts, index, search and dreaming, joined as the product joins them. Whoever talks to it is
 * elsewhere (whole-memory-chat.ts). The clock stands until it is moved or a writer waits.
 */
export class WholeMemory implements WholeMemoryStorage {
  time: number;
  readonly ledgerStore = new MemoryLedgerStore();
  readonly store = new MemoryWorkspaceStore(() => this.time);
  readonly transcriptStore = new MemoryTranscriptStore(() => this.time);
  readonly index = new MemoryIndexDouble();
  readonly intents = memoryIntents(() => this.time);
  readonly dreams = new DreamStore(new MemoryDocuments());
  /** Everything a night's model was shown, in order. */
  readonly prompts: DreamRequest[] = [];
  /** What nights have reported, by path; whatever else is written there. */
  readonly reports = new Map<string, string>();
  readonly #options: WholeMemoryOptions;
  readonly #background: Promise<void>[] = [];
  readonly #log = new MemoryOperationLog(() => this.time);
  readonly #dirty = new DirtyPathsDouble();
  readonly #vectors: VectorSide | null;
  #isSeeded = false;
  #files: ReturnType<typeof openFiles>;
  #search: ReturnType<typeof openSearch>;
  #nights = 0;

  constructor(options: WholeMemoryOptions = {}) {
    this.#options = options;
    this.#vectors = options.embedder ? vectorSide(options.embedder) : null;
    this.time = options.start ?? Date.parse("2026-05-01T08:00:00Z");
    [this.#files, this.#search] = this.#load();
  }

  /** What runs remembers nothing any more; everything stored stays. */
  restart(): void {
    [this.#files, this.#search] = this.#load();
  }

  #load() {
    const files = openFiles({
      memory: this,
      log: this.#log,
      seeded: { get: () => this.#isSeeded, set: () => void (this.#isSeeded = true) },
      onStored: (path) => this.#search.keeper.mark(path),
    });
    const background = (work: Promise<void>) => void this.#background.push(work);
    const search = openSearch({
      memory: this,
      files,
      dirty: this.#dirty,
      vectors: this.#vectors,
      background,
    });
    return [files, search] as const;
  }

  get files() {
    return this.#files;
  }

  get search() {
    return this.#search.service.search;
  }

  /** What a conversation asks of its agent; whatever is loaded anew meanwhile. */
  get agent(): Partial<AgentPort> {
    const { intents } = this;
    return {
      beginStep: async () => {
        const bootstrap = await this.bootstrap();
        return {
          granted: true,
          bootstrap: bootstrap && { ...bootstrap, intents: intents.armed() },
        };
      },
      workspace: {
        read: (path) => this.files.reader.read(path),
        list: (folder) => this.files.reader.list(folder),
        grep: (query) => this.files.reader.grep(query),
        apply: (operation) => this.apply(operation),
      },
      memory: {
        search: (query) => this.search(query),
        read: (place) => this.#search.service.read(place),
        status: () => this.#search.service.status(),
        ingest: (batch) => this.files.transcripts.ingest(batch),
        note: (request) => this.files.notes.note(request),
      },
      intents,
    };
  }

  today(): string {
    return noteDay({ at: this.time, timeZone });
  }

  bootstrap(): Promise<Bootstrap | null> {
    return this.#files.bootstrap.current();
  }

  apply(operation: WorkspaceOperation): Promise<WorkspaceResult> {
    return this.#files.writer.apply(operation);
  }

  /** What somebody with access to the storage does. */
  editOutside(path: string, change: (text: string) => string): void {
    this.store.editOutside(path, change(this.store.text(path) ?? ""));
  }

  text(path: string): string {
    return this.store.text(path) ?? "";
  }

  /** The alarm after a write and the look at the storage: the index is in step again. */
  async inStep(): Promise<void> {
    await this.#search.keeper.compare(0);
    await this.#search.keeper.run();
  }

  /** `index --force`. */
  rebuildIndex(): Promise<void> {
    return this.#search.keeper.rebuild();
  }

  /** Until nothing runs beside any more. */
  async settled(): Promise<void> {
    await Promise.all(this.#background.splice(0));
  }

  /** One whole night. `changed`: it wrote MEMORY.md. */
  async night(): Promise<{ readonly changed: boolean; readonly summary: string }> {
    const { model = null, budget = 12_000 } = this.#options;
    const before = this.text("MEMORY.md");
    const ports = this.#nightPorts(model);
    const runId = `night-${(this.#nights += 1)}`;
    startNight(ports, {
      runId,
      mode: "night",
      today: this.today(),
      budget,
      model: model !== null,
    });
    for (let steps = 0; (await dreamStep(ports)) !== "done"; steps += 1) {
      if (steps > 40) throw new Error("the night does not end");
    }
    const summary = this.dreams.outcomes()[0]?.summary ?? "";
    return { changed: this.text("MEMORY.md") !== before, summary };
  }

  #nightPorts(model: DreamModel | null) {
    const { writer, readClassified, listMemory, versions } = this.#files;
    const apply = async (operation: WorkspaceOperation) => {
      const { path, change } = operation;
      if (change.type === "append") {
        this.reports.set(path, (this.reports.get(path) ?? "") + change.text);
      }
      return writer.apply(operation);
    };
    return nightPorts({
      files: { writer: { apply }, readClassified, listMemory, versions },
      index: this.index,
      store: this.dreams,
      timeZone,
      now: () => this.time,
      log: silent,
      handOver: async () => {},
      ask: async (request) => {
        this.prompts.push(request);
        return model?.(request.user) ?? null;
      },
    });
  }
}
