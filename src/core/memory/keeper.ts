import type {
  CompareRound,
  DirtyPaths,
  IndexedSource,
  MemoryFiles,
  MemoryIndex,
} from "#contract/memory-index.ts";
import type { Log, Now } from "#contract/ports.ts";
import { errorText } from "#kit/error-text.ts";
import { storeId } from "./candidates.ts";
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
  /** Indexes what is marked. Rejects only if storage of our own fails. */
  sync(): Promise<void>;
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
  /** The latest failure that lasts. */
  readonly problem: string | null;
}

/** Appends come in bursts; an own write is searchable within a second and a half. */
const MARK_DELAY_MS = 1_000;
/** After the embedder failed: sources are indexed without vectors, and these made up for later. */
const EMBED_RETRY_MS = 10 * 60_000;

/** Calls of the storage in one go, which a search may wait for, and by which a minute is measured. */
const GO_PAGES = 5;
const GO_REST_MS = 60_000;
/** Of a long list of differences some are indexed before more are looked for. */
const MAX_MARKED = 1_000;

export function createKeeper(ports: KeeperPorts): IndexKeeper {
  return new Keeper(ports);
}

class Keeper implements IndexKeeper {
  readonly #ports: KeeperPorts;
  readonly #faults = new Map<string, string>();
  /** How often each path was marked: what changes while it is indexed stays marked. */
  readonly #marks = new Map<string, number>();
  #embedderFault: { readonly reason: string; readonly at: number } | null = null;
  #comparedAt = Number.NEGATIVE_INFINITY;
  #syncing: Promise<void> | undefined;

  constructor(ports: KeeperPorts) {
    this.#ports = ports;
  }

  mark(path: string): void {
    if (!sourceOf(path)) return;
    const { dirty, schedule, now } = this.#ports;
    this.#marks.set(path, (this.#marks.get(path) ?? 0) + 1);
    dirty.add([path]);
    schedule(now() + MARK_DELAY_MS);
  }

  async compare(maxAgeMs: number): Promise<void> {
    const { now } = this.#ports;
    if (maxAgeMs > 0 && this.#isCompared(maxAgeMs)) return;
    // Set before it is done: two searches at once compare once.
    this.#comparedAt = now();
    try {
      await this.#goOn({ startedAt: now(), pages: 0, after: "" });
    } catch (error) {
      this.#comparedAt = Number.NEGATIVE_INFINITY;
      throw error;
    }
  }

  async compareFrom(after: string): Promise<string | null> {
    const { files, index, vectors, dirty, schedule, now } = this.#ports;
    const { sources, next } = await files.list(after);
    const known = await index.sources({ after, upTo: next });
    const model = this.#embedderRests() ? undefined : (vectors?.embedder.model ?? null);
    const changed = differences(sources, known, model);
    if (changed.length > 0) {
      dirty.add(changed);
      // Whoever compares mostly indexes at once, but may fail or be cut off.
      schedule(now() + MARK_DELAY_MS);
    }
    return next;
  }

  /** A long comparison rests for as much longer as it takes: what it costs an hour does not grow. */
  #isCompared(maxAgeMs: number): boolean {
    const { now, dirty } = this.#ports;
    const isFresh = (age: number, ms: number) => age >= 0 && age < ms;
    if (isFresh(now() - this.#comparedAt, maxAgeMs)) return true;
    const round = dirty.round();
    if (!round) return false;
    const rest = Math.max(maxAgeMs, Math.ceil(round.pages / GO_PAGES) * GO_REST_MS);
    return round.after !== null || isFresh(now() - round.startedAt, rest);
  }

  #isComparing(): boolean {
    return (this.#ports.dirty.round()?.after ?? null) !== null;
  }

  /** As much of the comparison as is done in one go. */
  async #goOn({ startedAt, pages, after }: CompareRound): Promise<void> {
    const { dirty, schedule, now } = this.#ports;
    let next = after;
    let calls = 0;
    while (next !== null && calls < GO_PAGES && dirty.all().length < MAX_MARKED) {
      next = await this.compareFrom(next);
      calls += 1;
    }
    const isLong = next !== null || pages + calls > GO_PAGES;
    const round = isLong ? { startedAt, pages: pages + calls, after: next } : null;
    if (round !== null || dirty.round() !== null) dirty.keepRound(round);
    if (next !== null) schedule(now());
  }

  async sync(): Promise<void> {
    const running = this.#syncing;
    if (running) await running;
    // One that was about to end has not seen what was marked just now.
    if (!running || this.#ports.dirty.all().length > 0) await this.#syncOnce();
  }

  #syncOnce(): Promise<void> {
    this.#syncing ??= this.#syncMarked().finally(() => (this.#syncing = undefined));
    return this.#syncing;
  }

  async run(): Promise<"done" | "more" | "failed"> {
    const { dirty } = this.#ports;
    const round = dirty.round();
    if (round && round.after !== null) await this.#goOn(round);
    else if (this.#embedderFault !== null && !this.#embedderRests()) await this.compare(0);
    await this.sync();
    const left = dirty.all().length;
    if (this.#isComparing() && left < MAX_MARKED) return "more";
    return left === 0 ? "done" : "failed";
  }

  async rebuild(): Promise<void> {
    await this.beginRebuild();
    while ((await this.run()) === "more");
  }

  async beginRebuild(): Promise<void> {
    const { index, vectors } = this.#ports;
    await this.#syncing;
    const known = await index.sources();
    await index.clear();
    for (const { id } of known) await forgetVectors(vectors, id);
    this.#faults.clear();
    this.#embedderFault = null;
    await this.compare(0);
  }

  state(): KeeperState {
    const [fault] = this.#faults.values();
    const problem = this.#embedderFault?.reason ?? fault ?? null;
    return { waiting: this.#ports.dirty.all().length, problem };
  }

  async #syncMarked(): Promise<void> {
    const failed = new Set<string>();
    for (;;) {
      const path = nextPath(this.#ports.dirty.all(), failed);
      if (path === undefined) return;
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

/** `model` undefined: vectors are not looked at. */
function differences(
  listed: readonly { readonly path: string; readonly etag: string }[],
  known: readonly IndexedSource[],
  model: string | null | undefined,
): string[] {
  const present = listed.filter(({ path }) => sourceOf(path) !== null);
  const etags = new Map(present.map(({ path, etag }) => [path, etag]));
  const byPath = new Map(known.map((source) => [source.path, source]));
  const changed = present.filter(({ path, etag }) => {
    const source = byPath.get(path);
    return source?.etag !== etag || (model !== undefined && source.model !== model);
  });
  const gone = known.filter(({ path }) => !etags.has(path));
  return [...gone, ...changed].map(({ path }) => path);
}

async function forgetVectors(vectors: VectorSide | null, sourceId: number): Promise<void> {
  await vectors?.stores.clean.remove(sourceId);
  await vectors?.stores.outside.remove(storeId("outside", sourceId));
}
