import type { Now } from "#contract/ports.ts";
import type { ClassifiedFile } from "#contract/provenance.ts";
import type { StoredFile, WorkspaceStore } from "#contract/workspace-store.ts";
import { isMemorySource, memoryPlace } from "#core/memory/memory-path.ts";
import { classifyFile, recordsOf } from "./classify.ts";
import type { Ledger } from "./ledger.ts";
import type { PathLock } from "./path-lock.ts";

/**
 * Reads the memory with the class of each line. Only what lies in storage: what is logged but not yet
 * put has no class yet. Rejects if storage does; a reader then has to do without.
 */
export interface Classifier {
  /** Null: there is no such file, or it is no source of memory. */
  readClassified(path: string): Promise<ClassifiedFile | null>;
  /** Every source there is, with its version. */
  listMemory(): Promise<MemoryListing[]>;
  /** The owner says that what was written from outside is theirs. How many lines became so. */
  adopt(path: string): Promise<number>;
}

export interface MemoryListing {
  readonly path: string;
  readonly etag: string;
}

export interface ClassifierPorts {
  readonly store: WorkspaceStore;
  readonly ledger: Ledger;
  /** The writer's: what it is about to put must not be described without what is adopted meanwhile. */
  readonly lock: PathLock;
  readonly now: Now;
}

export function createClassifier({ store, ledger, lock, now }: ClassifierPorts): Classifier {
  async function readClassified(path: string): Promise<ClassifiedFile | null> {
    if (!isMemorySource(path)) return null;
    const file = await store.get(path);
    if (!file) return null;
    if (!file.editable) return unfit(file);
    return classifyFile(file, await ledger.about(file));
  }

  async function adopt(path: string): Promise<number> {
    const file = await readClassified(path);
    const records = [...recordsOf(file).values()];
    const adopted = records.filter((record) => record.waiting).length;
    if (!file || adopted === 0) return 0;
    const at = now();
    const lines = records.map((record) =>
      record.waiting ? { hash: record.hash, trust: "owner" as const, at } : record,
    );
    await ledger.write({ path, text: file.text, lines, operationId: `adopt:${at}` });
    return adopted;
  }

  return {
    readClassified,

    async listMemory() {
      const [top, notes] = await Promise.all([store.list(""), store.etags("memory")]);
      const curated = top.flatMap(({ name, etag }) =>
        etag !== undefined && memoryPlace(name) === "curated" ? [{ path: name, etag }] : [],
      );
      return [...curated, ...notes.filter(({ path }) => isMemorySource(path))];
    },

    adopt: (path) => lock.hold(path, () => adopt(path)),
  };
}

function unfit({ path, etag, modifiedAt }: StoredFile): ClassifiedFile {
  const why = "it is no text, or larger than 1 MB";
  return { path, text: "", etag, modifiedAt, authorship: "outside", lines: [], unfit: why };
}
