import type { DirtyPaths, MemoryFiles, MemoryIndex } from "#contract/memory-index.ts";
import type { Log, Now } from "#contract/ports.ts";
import { errorText } from "#kit/error-text.ts";
import { storeId } from "./candidates.ts";
import { Comparison, MARK_DELAY_MS } from "./comparison.ts";
import { indexPath, type IndexedPath } from "./index-path.ts";
import type { VectorSide } from "./search.ts";
import { sourceOf } from "./source.ts";

/**
 * Keeps the index of one agent in step with its files. Own writes are marked, durably, and indexed a
 * moment later; a comparison of versions finds what was changed by other means. One source at a time,
 * each replaced as a whole, so that a crash at any moment leaves the old one or the new one. Nothing
 * waits for it: a search gives it a moment and then goes on with what there is.
 */
export interface KeeperPorts {
  readonly index: MemoryIndex;
  readonly files: MemoryFiles;
  readonly vectors: VectorSide | null;
  readonly dirty: DirtyPaths;
  readonly now: Now;
  readonly report: Log;
  /** Sees to it that `run` is called at this time or earlier. */
  readonly schedule: (at: number) => void;
}

export interface IndexKeeper {
  /** The file has changed, appeared or gone. */
  mark(path: string): void;
  /** Looks for changes by other means unless it did so within `maxAgeMs`; `run` does what is left of it. */
  compare(maxAgeMs: number): Promise<void>;
  /** The same for a stretch of paths behind one ("" = the first one). Where to go on; null = it is over. */
  compareFrom(after: string): Promise<string | null>;
  /** Indexes what is marked. Which of it could not be; rejects only if storage of our own fails. */
  sync(): Promise<readonly string[]>;
  /** What the alarm calls: sync, what has to be tried again, and a step of a long comparison. */
  run(): Promise<"done" | "more" | "failed">;
  /** Drops everything and builds it again from the files. */
  rebuild(): Promise<void>;
  /** Drops everything and marks all files; `run` does the rest. */
  beginRebuild(): Promise<void>;
  state(): KeeperState;
}

export interface KeeperState {
  readonly waiting: number;
  /** A long comparison is under way: more may have changed. */
  readonly comparing: boolean;
  /** The latest failure that lasts. */
  readonly problem: string | null;
}

/** After the embedder failed: sources are indexed without vectors, and these made up for later. */
const EMBED_RETRY_MS = 10 * 60_000;

export function createKeeper(ports: KeeperPorts): IndexKeeper {
  return new Keeper(ports);
}

class Keeper implements IndexKeeper {
  readonly #ports: KeeperPorts;
  readonly #comparison: Comparison;
  readonly #faults = new Map<string, string>();
  /** How often each path was marked: what changes while it is indexed stays marked. */
  readonly #marks = new Map<string, number>();
  #embedderFault: { readonly reason: string; readonly at: number } | null = null;
  #syncing: Promise<readonly string[]> | undefined;

  constructor(ports: KeeperPorts) {
    this.#ports = ports;
    const model = () =>
      this.#embedderRests() ? undefined : (ports.vectors?.embedder.model ?? null);
    this.#comparison = new Comparison({ ...ports, model });
  }

  mark(path: string): void {
    if (!sourceOf(path)) return;
    const { dirty, schedule, now } = this.#ports;
    this.#marks.set(path, (this.#marks.get(path) ?? 0) + 1);
    dirty.add([path]);
    schedule(now() + MARK_DELAY_MS);
  }

  compare(maxAgeMs: number): Promise<void> {
    return this.#comparison.compare(maxAgeMs);
  }

  async compareFrom(after: string): Promise<string | null> {
    return (await this.#comparison.stretch(after)).next;
  }

  async sync(): Promise<readonly string[]> {
    const running = this.#syncing;
    const failed = running ? await running : [];
    // One that was about to end has not seen what was marked just now.
    const isOver = this.#ports.dirty.all().every((path) => failed.includes(path));
    return running && isOver ? failed : this.#syncOnce();
  }

  #syncOnce(): Promise<readonly string[]> {
    this.#syncing ??= this.#syncMarked().finally(() => (this.#syncing = undefined));
    return this.#syncing;
  }

  async run(): Promise<"done" | "more" | "failed"> {
    const { dirty } = this.#ports;
    const compared = await this.#compareOn();
    await this.sync();
    if (compared && this.#comparison.isOpen() && this.#comparison.hasRoom()) return "more";
    return compared && dirty.all().length === 0 ? "done" : "failed";
  }

  /** False: it failed, which is no reason to leave what is marked. */
  async #compareOn(): Promise<boolean> {
    const { report } = this.#ports;
    try {
      await this.#comparison.goOn();
      if (this.#embedderFault !== null && !this.#embedderRests()) await this.compare(0);
      return true;
    } catch (error) {
      report.warn("memory.compare_failed", { error: errorText(error) });
      return false;
    }
  }

  async rebuild(): Promise<void> {
    await this.beginRebuild();
    while ((await this.run()) === "more");
  }

  beginRebuild(): Promise<void> {
    return this.#comparison.restart(() => this.#dropAll());
  }

  async #dropAll(): Promise<void> {
    const { index, vectors } = this.#ports;
    await this.#syncing;
    const known = await index.sources();
    await index.clear();
    for (const { id } of known) await forgetVectors(vectors, id);
    this.#faults.clear();
    this.#embedderFault = null;
  }

  state(): KeeperState {
    const [fault] = this.#faults.values();
    const problem = this.#embedderFault?.reason ?? fault ?? null;
    const waiting = this.#ports.dirty.all().length;
    return { waiting, comparing: this.#comparison.isOpen(), problem };
  }

  async #syncMarked(): Promise<readonly string[]> {
    const failed = new Set<string>();
    for (;;) {
      const path = nextPath(this.#ports.dirty.all(), failed);
      if (path === undefined) return [...failed];
      if (!(await this.#syncOne(path))) failed.add(path);
    }
  }

  async #syncOne(path: string): Promise<boolean> {
    const { dirty, report } = this.#ports;
    const mark = this.#marks.get(path);
    try {
      this.#settle(path, await indexPath(this.#ports, path, !this.#embedderRests()));
    } catch (error) {
      this.#faults.set(path, `${path} is not indexed yet: ${errorText(error)}`);
      report.warn("memory.index_failed", { path, error: errorText(error) });
      return false;
    }
    if (this.#marks.get(path) === mark) {
      dirty.remove(path);
      this.#marks.delete(path);
    }
    return true;
  }

  #settle(path: string, { unfit, embedderFault, embedded }: IndexedPath): void {
    const { now, report, schedule } = this.#ports;
    if (unfit === undefined) this.#faults.delete(path);
    else this.#faults.set(path, `${path} is not indexed: ${unfit}`);
    if (embedderFault !== undefined) {
      this.#embedderFault = { reason: embedderFault, at: now() };
      report.warn("memory.embedder_failed", { path, error: embedderFault });
      schedule(now() + EMBED_RETRY_MS);
    } else if (embedded) this.#embedderFault = null;
  }

  #embedderRests(): boolean {
    if (this.#embedderFault === null) return false;
    const age = this.#ports.now() - this.#embedderFault.at;
    return age >= 0 && age < EMBED_RETRY_MS;
  }
}

/** What is always in context first, then the newest notes. */
function nextPath(paths: readonly string[], besides: ReadonlySet<string>): string | undefined {
  const rest = paths.filter((path) => !besides.has(path));
  return (
    rest.find((path) => sourceOf(path)?.kind === "curated") ?? rest.toSorted().toReversed().at(0)
  );
}

async function forgetVectors(vectors: VectorSide | null, sourceId: number): Promise<void> {
  await vectors?.stores.clean.remove(sourceId);
  await vectors?.stores.outside.remove(storeId("outside", sourceId));
}
