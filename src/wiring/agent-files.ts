import type { ForgetLines, ForgottenLines } from "#contract/agent-rpc.ts";
import type { SourcePage } from "#contract/memory-index.ts";
import type { Log, Now } from "#contract/ports.ts";
import type { ClassifiedFile } from "#contract/provenance.ts";
import { filesAndSaid } from "#core/memory/every-source.ts";
import { createTranscripts, type Transcripts } from "#core/memory/transcripts.ts";
import { createBootstrapCache, type BootstrapCache } from "#core/workspace/bootstrap.ts";
import { createClassifier } from "#core/workspace/classifier.ts";
import { forgetLines } from "#core/workspace/forget.ts";
import { linesSaying, type SayingPage } from "#core/workspace/lines-saying.ts";
import { createLedger } from "#core/workspace/ledger.ts";
import { createNoteAdder, type NoteAdder } from "#core/workspace/note-adder.ts";
import { createPathLock } from "#core/workspace/path-lock.ts";
import { createReader, type WorkspaceReader } from "#core/workspace/reader.ts";
import { createVersions, type Versions } from "#core/workspace/versions.ts";
import { createWriter, type WorkspaceWriter } from "#core/workspace/writer.ts";
import { keepable } from "#kit/keepable.ts";
import type { Forgetter } from "#kit/text/forget-text.ts";
import type { AgentDatabase } from "#platform/agent/database.ts";
import { SqliteOperationLog } from "#platform/agent/operation-log.ts";
import { createAgentSettings, type AgentSettings } from "#platform/agent/settings.ts";
import { createLedgerStore } from "#platform/r2/ledger-store.ts";
import { createTranscriptStore } from "#platform/r2/transcript-store.ts";
import { createWorkspaceStore } from "#platform/r2/workspace-store.ts";

/**
 * What a person may read and edit of an agent, and what is known of where it came from: files,
 * transcripts, kept versions and the ledger. The index over them is derived and elsewhere.
 */
export interface AgentFiles {
  readonly reader: WorkspaceReader;
  readonly writer: WorkspaceWriter;
  readonly bootstrap: BootstrapCache;
  readonly transcripts: Transcripts;
  readonly versions: Versions;
  readonly notes: NoteAdder;
  /** A file of the memory or a transcript; null = there is none, or it is no source. */
  readClassified(path: string): Promise<ClassifiedFile | null>;
  /** Sources of the memory behind a path, with their versions. */
  listMemory(after: string): Promise<SourcePage>;
  adopt(path: string): Promise<number>;
  forget(request: ForgetLines): Promise<ForgottenLines>;
  /** Lines of all files, some files at a time, that say a fact. */
  saying(finder: Pick<Forgetter, "finds">, after: string | null): Promise<SayingPage>;
}

export interface AgentFilesPorts {
  readonly bucket: R2Bucket;
  readonly agentId: string;
  readonly database: AgentDatabase;
  /** The owner's. */
  readonly timeZone: string;
  readonly report: Log;
  readonly now: Now;
  /** A change was written down: an alarm has to finish it, should this object not come to it. */
  onRecorded(): void;
  /** A file or transcript is not what it was, or others are behind its lines. */
  onChanged(path: string): void;
  /** Lines were forgotten, by their hashes: nothing else may know of them. Repeated after a crash. */
  onForgotten(hashes: readonly string[]): Promise<void>;
}

export function createAgentFiles(ports: AgentFilesPorts): AgentFiles {
  const { bucket, agentId, now, report } = ports;
  const sleep = (ms: number) => (ms > 0 ? scheduler.wait(ms) : Promise.resolve());
  const store = createWorkspaceStore(bucket, agentId);
  const ledgerStore = createLedgerStore(bucket, agentId);
  const ledger = createLedger(ledgerStore, report);
  const lock = createPathLock();
  const log = new SqliteOperationLog(ports.database, now, () => ports.onRecorded());
  const settings = createAgentSettings(ports.database);
  const bootstrap = createBootstrapCache({ store, ledger, now, report, seeded: seeded(settings) });
  const clock = { now, pause: () => scheduler.wait(0) };
  const reader = createReader({ store, log, ledger, clock });
  const onStored = (path: string) => ports.onChanged(path);
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
    store: createTranscriptStore(bucket, agentId),
    timeZone: ports.timeZone,
    redact: keepable,
    now,
    report,
    sleep,
    onStored,
  });
  const known = sources(createClassifier({ store, ledger, lock, now }), transcripts, (path) => {
    bootstrap.forget(path);
    onStored(path);
  });
  const notes = createNoteAdder({
    writer,
    read: (path) => reader.read(path),
    readClassified: (path) => known.readClassified(path),
    timeZone: ports.timeZone,
  });
  const forgetful = { store, ledger, ledgerStore, reader, writer, transcripts };
  return {
    reader,
    writer,
    bootstrap,
    transcripts,
    versions: createVersions({ store, writer, ledger, now }),
    notes,
    ...known,
    forget: (request) => forgetLines({ ...forgetful, ...forgetMarks(ports, settings) }, request),
    saying: (finder, after) => linesSaying({ store, reader }, finder, after),
  };
}

type Sources = Pick<AgentFiles, "readClassified" | "listMemory" | "adopt">;

function sources(
  classifier: Sources,
  transcripts: Transcripts,
  onAdopted: (path: string) => void,
): Sources {
  return {
    async readClassified(path) {
      return (await classifier.readClassified(path)) ?? (await transcripts.readClassified(path));
    },
    listMemory: filesAndSaid(classifier, transcripts),
    async adopt(path) {
      const adopted = await classifier.adopt(path);
      if (adopted > 0) onAdopted(path);
      return adopted;
    },
  };
}

function forgetMarks(ports: AgentFilesPorts, settings: AgentSettings) {
  return {
    onForgotten: (hashes: readonly string[]) => ports.onForgotten(hashes),
    state: {
      get: (id: string) => settings.get(`forget:${id}`),
      set: (id: string, text: string) => settings.set(`forget:${id}`, text),
    },
  };
}

function seeded(settings: AgentSettings) {
  return {
    get: () => settings.get("seeded") !== null,
    set: () => settings.set("seeded", "1"),
  };
}
