import type {
  CompareRound,
  DirtyPaths,
  IndexedSource,
  MemoryFiles,
  MemoryIndex,
} from "#contract/memory-index.ts";
import type { Now } from "#contract/ports.ts";
import { sourceOf } from "./source.ts";

/**
 * Finds by versions what was changed by other means than our own writes, and marks it. Few files are compared
 * at once; of many a part, from where the last one ended, which outlives the object.
 */
export interface ComparisonPorts {
  readonly index: MemoryIndex;
  readonly files: MemoryFiles;
  readonly dirty: DirtyPaths;
  readonly now: Now;
  readonly schedule: (at: number) => void;
  /** Of the vectors there should be, null = none; undefined = they are not looked at now. */
  readonly model: () => string | null | undefined;
}

/** Appends come in bursts; an own write is searchable within a second and a half. */
export const MARK_DELAY_MS = 1_000;
/** Calls of the storage in one go, which a search may wait for, and by which a minute is measured. */
const GO_PAGES = 5;
const GO_REST_MS = 60_000;
/** Of a long list of differences some are indexed before more are looked for. */
const GO_MARKED = 1_000;
/** They are kept in one row. */
const MAX_MARKED = 10_000;

export class Comparison {
  readonly #ports: ComparisonPorts;
  #comparedAt = Number.NEGATIVE_INFINITY;
  /** One piece of work at a time, since each says where the comparison is. */
  #working: Promise<unknown> = Promise.resolve();

  constructor(ports: ComparisonPorts) {
    this.#ports = ports;
  }

  /** Begins anew unless that was done within `maxAgeMs`; `goOn` does what is left of it. */
  async compare(maxAgeMs: number): Promise<void> {
    const { now } = this.#ports;
    if (maxAgeMs > 0 && this.#isFresh(maxAgeMs)) return;
    // Set before it is done: two searches at once compare once.
    this.#comparedAt = now();
    try {
      await this.#alone(() => this.#go({ startedAt: now(), pages: 0, after: "" }));
    } catch (error) {
      this.#comparedAt = Number.NEGATIVE_INFINITY;
      throw error;
    }
  }

  /** One go of what is left, if anything is. */
  goOn(): Promise<void> {
    return this.#alone(async () => {
      const round = this.#ports.dirty.round();
      if (round && round.after !== null) await this.#go(round);
    });
  }

  /** Begins anew after `drop`, with nothing compared in between. */
  restart(drop: () => Promise<void>): Promise<void> {
    const { now } = this.#ports;
    return this.#alone(async () => {
      await drop();
      await this.#go({ startedAt: now(), pages: 0, after: "" });
      this.#comparedAt = now();
    });
  }

  /** A stretch of paths behind one ("" = the first one), beside all rounds. */
  async stretch(
    after: string,
  ): Promise<{ readonly next: string | null; readonly changed: number }> {
    const { files, index, dirty, schedule, now, model } = this.#ports;
    const { sources, next } = await files.list(after);
    const known = await index.sources({ after, upTo: next });
    const changed = differences(sources, known, model());
    if (changed.length > 0) {
      dirty.add(changed);
      // Whoever compares mostly indexes at once, but may fail or be cut off.
      schedule(now() + MARK_DELAY_MS);
    }
    return { next, changed: changed.length };
  }

  isOpen(): boolean {
    return (this.#ports.dirty.round()?.after ?? null) !== null;
  }

  hasRoom(): boolean {
    return this.#ports.dirty.all().length < MAX_MARKED;
  }

  #alone(work: () => Promise<void>): Promise<void> {
    const own = this.#working.then(work);
    this.#working = own.catch(() => undefined);
    return own;
  }

  /** A long comparison rests for as much longer as it takes: what it costs an hour does not grow. */
  #isFresh(maxAgeMs: number): boolean {
    const { now, dirty } = this.#ports;
    const isYoung = (age: number, ms: number) => age >= 0 && age < ms;
    if (isYoung(now() - this.#comparedAt, maxAgeMs)) return true;
    const round = dirty.round();
    if (!round) return false;
    const rest = Math.max(maxAgeMs, Math.ceil(round.pages / GO_PAGES) * GO_REST_MS);
    return round.after !== null || isYoung(now() - round.startedAt, rest);
  }

  async #go({ startedAt, pages, after }: CompareRound): Promise<void> {
    const { dirty, schedule, now } = this.#ports;
    let next: string | null = after;
    let [calls, marked] = [0, 0];
    while (next !== null && calls < GO_PAGES && marked < GO_MARKED && this.hasRoom()) {
      const stretch = await this.stretch(next);
      next = stretch.next;
      marked += stretch.changed;
      calls += 1;
    }
    const isLong = next !== null || pages + calls > GO_PAGES;
    const round = isLong ? { startedAt, pages: pages + calls, after: next } : null;
    if (round !== null || dirty.round() !== null) dirty.keepRound(round);
    if (next !== null) schedule(now());
  }
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
