import type {
  NewTranscript,
  StoredTranscript,
  TranscriptName,
  TranscriptStore,
} from "#contract/transcript-store.ts";

/** Transcripts in memory with R2's rules: conditional puts, one write per second and key. */
export class MemoryTranscriptStore implements TranscriptStore {
  readonly texts = new Map<string, StoredTranscript>();
  puts = 0;
  /** Of a page at a time. */
  listed = 1_000;
  gate: (phase: "put" | "put done") => void | Promise<void> = () => {};
  readonly #now: () => number;
  readonly #lastPut = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  async list(folder: string) {
    return this.#listings().filter((one) => one.folder === folder);
  }

  async page(after: TranscriptName | null) {
    const key = (name: TranscriptName) => `${name.folder}/${name.part}.jsonl`;
    const left = this.#listings()
      .filter((one) => after === null || key(one) > key(after))
      .toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
    const listings = left.slice(0, this.listed);
    return { listings, next: left.length > this.listed ? (listings.at(-1) ?? null) : null };
  }

  #listings() {
    return [...this.texts.values()].map(({ folder, part, etag }) => ({ folder, part, etag }));
  }

  async get({ folder, part }: TranscriptName) {
    return this.texts.get(`${folder}/${part}`) ?? null;
  }

  async put(transcript: NewTranscript) {
    await this.gate("put");
    const key = `${transcript.folder}/${transcript.part}`;
    const now = this.#now();
    if (now - (this.#lastPut.get(key) ?? 0) < 1000) throw new Error("put: 429 too many writes");
    if ((this.texts.get(key)?.etag ?? null) !== transcript.expected) return null;
    this.#lastPut.set(key, now);
    this.puts += 1;
    const etag = `etag-${this.puts}`;
    this.texts.set(key, { ...transcript, etag, modifiedAt: now });
    await this.gate("put done");
    return { etag };
  }
}
