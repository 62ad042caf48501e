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
  gate: (phase: "put" | "put done") => void | Promise<void> = () => {};
  readonly #now: () => number;
  readonly #lastPut = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  async list(folder?: string) {
    const all = [...this.texts.values()].filter(
      (one) => folder === undefined || one.folder === folder,
    );
    return all.map((one) => ({ folder: one.folder, part: one.part, etag: one.etag }));
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
