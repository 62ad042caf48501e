import type { SourceHead, SourceVectors, VectorNotes } from "#contract/vector-store.ts";
import type { VectorizeState } from "#contract/ports.ts";
import { readNote, superseded, type CurrentPart, type Note, type StalePart } from "./note.ts";

/**
 * What is there (heads, from D1), what was sent (notes, which outlive the object), and what of it can
 * be seen. Only a source whose present generation is seen is answered from the index; all others wait.
 */

/** Clocks of different machines may differ by this much. */
const SKEW_MS = 5_000;

export class Ledger {
  readonly #notes: VectorNotes;
  readonly #known: Map<number, Note>;
  /** Undefined = not read yet. */
  #heads: Map<number, number> | undefined;
  /** Sources that were published (generation) or removed (null) while heads were read. */
  readonly #meanwhile = new Map<number, number | null>();
  /** Changes of this object's life, oldest first. */
  #changes: { readonly mutation: string; readonly at: number }[] = [];
  #latest: number;

  constructor(notes: VectorNotes) {
    this.#notes = notes;
    const read = [...notes.all()].flatMap(([sourceId, text]) => {
      const note = readNote(text);
      return note ? [[sourceId, note] as const] : [];
    });
    this.#known = new Map(read);
    this.#latest = Math.max(0, ...read.map(([, { current }]) => current?.at ?? 0));
  }

  get complete(): boolean {
    return this.#heads !== undefined;
  }

  /** Takes over what D1 says, but for what was published or removed since it was asked. */
  fill(heads: readonly SourceHead[]): void {
    this.#heads = new Map(heads.map(({ sourceId, generation }) => [sourceId, generation]));
    for (const [sourceId, generation] of this.#meanwhile) this.#setHead(sourceId, generation);
    this.#meanwhile.clear();
    for (const sourceId of this.#known.keys()) {
      if (!this.#heads.has(sourceId)) this.#write(sourceId, superseded(this.#known.get(sourceId)));
    }
  }

  #setHead(sourceId: number, generation: number | null): void {
    if (!this.#heads) this.#meanwhile.set(sourceId, generation);
    else if (generation === null) this.#heads.delete(sourceId);
    else this.#heads.set(sourceId, generation);
  }

  /** False: this generation was sent already, or a later one is there. */
  announce(source: SourceVectors): boolean {
    const note = this.#known.get(source.sourceId);
    const { generation, positions } = source;
    if (note?.current && note.current.generation > generation) return false;
    this.#setHead(source.sourceId, generation);
    if (note?.current?.generation === generation && note.current.mutation !== null) return false;
    const before = note?.current?.generation === generation ? note : superseded(note);
    const size = (positions.at(-1) ?? -1) + 1;
    const current = { generation, size, rows: positions.length, mutation: null, at: 0 };
    this.#write(source.sourceId, {
      stale: before.stale,
      current: { ...current, seen: positions.length === 0 },
    });
    return positions.length > 0;
  }

  withdraw(sourceId: number): void {
    this.#setHead(sourceId, null);
    const note = this.#known.get(sourceId);
    if (note) this.#write(sourceId, superseded(note));
  }

  /** A change was accepted at this time. */
  changed(mutation: string, now: number): number {
    this.#latest = Math.max(now, this.#latest + 1);
    this.#changes = [...this.#changes.slice(-200), { mutation, at: this.#latest }];
    return this.#latest;
  }

  sent({ sourceId, generation }: SourceHead, mutation: string, at: number): void {
    const note = this.#known.get(sourceId);
    if (note?.current?.generation !== generation) return; // Superseded while it was sent.
    this.#write(sourceId, { ...note, current: { ...note.current, mutation, at } });
  }

  deleted(sourceId: number, part: StalePart): void {
    const note = this.#known.get(sourceId);
    if (!note) return;
    const stale = note.stale.filter(({ generation }) => generation !== part.generation);
    this.#write(sourceId, { ...note, stale });
  }

  /** Marks what the index shows by now. */
  observe(state: VectorizeState): void {
    if (state.vectorCount < this.#seenRows()) this.#forgetSent();
    const upTo = this.#provenUpTo(state);
    for (const [sourceId, note] of this.#known) {
      const { current } = note;
      if (!current || current.seen || current.mutation === null) continue;
      if (current.at <= upTo)
        this.#write(sourceId, { ...note, current: { ...current, seen: true } });
    }
  }

  /** Changes are seen in the order in which they were made, so that one of them proves all before it. */
  #provenUpTo({ processedUpToMutation, processedUpToDatetime }: VectorizeState): number {
    const byTime = timeOf(processedUpToDatetime) - SKEW_MS;
    const noted = this.#pending().filter(({ mutation }) => mutation === processedUpToMutation);
    const own = this.#changes.filter(({ mutation }) => mutation === processedUpToMutation);
    return Math.max(byTime, ...[...noted, ...own].map(({ at }) => at));
  }

  /** The index is another one than was filled: made anew under the same name. */
  #forgetSent(): void {
    for (const [sourceId, note] of this.#known) {
      if (note.current === null || note.current.rows === 0) continue;
      const current = { ...note.current, mutation: null, seen: false };
      this.#write(sourceId, { current, stale: [] });
    }
  }

  #pending(): CurrentPart[] {
    return [...this.#known.values()].flatMap(({ current }) =>
      current && !current.seen && current.mutation !== null ? [current] : [],
    );
  }

  get hasPending(): boolean {
    return this.#pending().length > 0;
  }

  #seenRows(): number {
    return [...this.#known.values()].reduce(
      (sum, { current }) => sum + (current?.seen ? current.rows : 0),
      0,
    );
  }

  isPresent({ sourceId, generation }: SourceHead): boolean {
    return this.#heads?.get(sourceId) === generation;
  }

  /** Is it the generation that was announced last? */
  isCurrent({ sourceId, generation }: SourceHead): boolean {
    return this.#known.get(sourceId)?.current?.generation === generation;
  }

  /** Is this generation the present one, and seen as a whole? */
  isSeen(head: SourceHead): boolean {
    const current = this.#known.get(head.sourceId)?.current;
    return this.isPresent(head) && current?.generation === head.generation && current.seen;
  }

  /** Sources the index cannot answer for yet. */
  waiting(): SourceHead[] {
    const heads = [...(this.#heads ?? [])].map(([sourceId, generation]) => ({
      sourceId,
      generation,
    }));
    return heads.filter((head) => !this.isSeen(head));
  }

  /** Those of them that were not even sent. */
  unsent(): SourceHead[] {
    return this.waiting().filter(({ sourceId, generation }) => {
      const current = this.#known.get(sourceId)?.current;
      return current?.generation !== generation || current.mutation === null;
    });
  }

  stale(): { readonly sourceId: number; readonly part: StalePart }[] {
    return [...this.#known].flatMap(([sourceId, { stale }]) =>
      stale.map((part) => ({ sourceId, part })),
    );
  }

  #write(sourceId: number, note: Note): void {
    if (note.current === null && note.stale.length === 0) {
      this.#known.delete(sourceId);
      this.#notes.remove(sourceId);
      return;
    }
    this.#known.set(sourceId, note);
    this.#notes.set(sourceId, JSON.stringify(note));
  }
}

function timeOf(value: unknown): number {
  const time = typeof value === "string" ? Date.parse(value) : value;
  return typeof time === "number" && Number.isFinite(time) ? time : -Infinity;
}
