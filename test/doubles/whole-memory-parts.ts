import { filesAndSaid } from "#core/memory/every-source.ts";
import { createKeeper } from "#core/memory/keeper.ts";
import type { VectorSide } from "#core/memory/search.ts";
import { createMemoryService } from "#core/memory/service.ts";
import { createTranscripts } from "#core/memory/transcripts.ts";
import { createBootstrapCache } from "#core/workspace/bootstrap.ts";
import { createClassifier } from "#core/workspace/classifier.ts";
import { createLedger } from "#core/workspace/ledger.ts";
import { createNoteAdder } from "#core/workspace/note-adder.ts";
import { createPathLock } from "#core/workspace/path-lock.ts";
import { createReader } from "#core/workspace/reader.ts";
import { createVersions } from "#core/workspace/versions.ts";
import { createWriter } from "#core/workspace/writer.ts";
import type { DirtyPathsDouble } from "./dirty-paths.ts";
import type { MemoryLedgerStore } from "./ledger-store.ts";
import type { MemoryIndexDouble } from "./memory-index.ts";
import type { MemoryTranscriptStore } from "./transcript-store.ts";
import type { MemoryOperationLog, MemoryWorkspaceStore } from "./workspace-store.ts";

export const timeZone = "UTC";
export const silent = { info() {}, warn() {}, error() {} };

/** What is left of a memory when nothing of it runs, and its clock. */
export interface WholeMemoryStorage {
  time: number;
  readonly ledgerStore: MemoryLedgerStore;
  readonly store: MemoryWorkspaceStore;
  readonly transcriptStore: MemoryTranscriptStore;
  readonly index: MemoryIndexDouble;
  today(): string;
}

interface FileParts {
  readonly memory: WholeMemoryStorage;
  readonly log: MemoryOperationLog;
  readonly seeded: { get(): boolean; set(): void };
  readonly onStored: (path: string) => void;
}

/** As wiring/agent-files.ts does. */
export function openFiles({ memory, log, seeded, onStored }: FileParts) {
  const { store } = memory;
  const now = () => memory.time;
  const sleep = async (ms: number) => void (memory.time += Math.max(0, ms));
  const report = silent;
  const ledger = createLedger(memory.ledgerStore, report);
  const bootstrap = createBootstrapCache({ store, ledger, now, report, seeded });
  const lock = createPathLock();
  const writer = createWriter({
    store,
    log,
    ledger,
    lock,
    report,
    now,
    sleep,
    onStored(file) {
      bootstrap.note(file);
      onStored(file.path);
    },
    onArrived: onStored,
  });
  const transcripts = createTranscripts({
    store: memory.transcriptStore,
    timeZone,
    redact: (text) => text,
    now,
    report,
    sleep,
    onStored,
  });
  const classifier = createClassifier({ store, ledger, lock, now });
  const reader = createReader({ store, log, ledger, clock: { now, pause: async () => {} } });
  const readClassified = async (path: string) =>
    (await classifier.readClassified(path)) ?? (await transcripts.readClassified(path));
  const read = (path: string) => reader.read(path);
  return {
    bootstrap,
    writer,
    reader,
    transcripts,
    readClassified,
    versions: createVersions({ store, writer, ledger, now }),
    listMemory: filesAndSaid(classifier, transcripts),
    notes: createNoteAdder({ writer, read, readClassified, timeZone }),
  };
}

interface SearchParts {
  readonly memory: WholeMemoryStorage;
  readonly files: ReturnType<typeof openFiles>;
  readonly dirty: DirtyPathsDouble;
  readonly vectors: VectorSide | null;
  readonly background: (work: Promise<void>) => void;
}

/** As wiring/agent-memory.ts does. */
export function openSearch({ memory, files, dirty, vectors, background }: SearchParts) {
  const shared = {
    index: memory.index,
    files: { read: files.readClassified, list: files.listMemory },
    vectors,
    now: () => memory.time,
    report: silent,
  };
  const keeper = createKeeper({ ...shared, dirty, schedule: () => {} });
  const service = createMemoryService({
    ...shared,
    keeper,
    background,
    explicitEmbedder: false,
    today: () => memory.today(),
    within: (work) => work.then(() => true),
  });
  return { keeper, service };
}
