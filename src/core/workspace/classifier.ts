import type { Now } from "#contract/ports.ts";
import type { ListedSource, SourcePage } from "#contract/memory-index.ts";
import type { ClassifiedFile } from "#contract/provenance.ts";
import type { StoredFile, WorkspaceStore } from "#contract/workspace-store.ts";
import { curatedFiles, isMemorySource } from "#core/memory/memory-path.ts";
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
  /** Sources behind a path, with their versions: the curated files, then notes. */
  listMemory(after: string): Promise<SourcePage>;
  /** The owner says that what was written from outside is theirs. How many lines became so. */
  adopt(path: string): Promise<number>;
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

    async listMemory(after) {
      const [curated, notes] = await Promise.all([
        curatedBehind(store, after),
        store.page("memory", after < NOTES ? null : after),
      ]);
      const found = notes.files.filter(({ path }) => isMemorySource(path));
      const last = notes.files.at(-1)?.path ?? null;
      return { sources: [...curated, ...found], next: notes.more ? last : null };
    },

    adopt: (path) => lock.hold(path, () => adopt(path)),
  };
}

const NOTES = "memory/";

/** They come before all notes, in every order of paths. */
async function curatedBehind(store: WorkspaceStore, after: string): Promise<ListedSource[]> {
  const paths = curatedFiles.filter((path) => path > after);
  const etags = await Promise.all(paths.map((path) => store.etag(path)));
  return paths.flatMap((path, at) => {
    const etag = etags[at] ?? null;
    return etag === null ? [] : [{ path, etag }];
  });
}

function unfit({ path, etag, modifiedAt }: StoredFile): ClassifiedFile {
  const why = "it is no text, or larger than 1 MB";
  return { path, text: "", etag, modifiedAt, authorship: "outside", lines: [], unfit: why };
}
