import type {
  Memory,
  MemoryAnswer,
  MemoryPlace,
  MemoryQuery,
  MemoryRow,
  MemoryStatus,
  MemoryText,
  NoteReceipt,
  NoteRequest,
  TranscriptBatch,
  TranscriptLine,
} from "#contract/memory.ts";
import type { MemoryTrace } from "#contract/upkeep.ts";

/**
 * An agent's memory that answers what it is told to and remembers what it was asked. `fails` is what
 * every call rejects with, for an agent that cannot be reached.
 */
export class MemoryDouble implements Memory {
  rows: MemoryRow[] = [];
  notices: string[] = [];
  files = new Map<string, Pick<MemoryText, "text" | "trust">>();
  /** Where lines are from, for whoever asks. */
  traces: readonly MemoryTrace[] = [];
  fails: Error | null = null;
  readonly queries: MemoryQuery[] = [];
  readonly notes: NoteRequest[] = [];
  readonly places: MemoryPlace[] = [];
  readonly batches: TranscriptBatch[] = [];
  /** As it would be kept: each once, whatever is said twice. */
  readonly lines = new Map<string, TranscriptLine>();

  async search(query: MemoryQuery): Promise<MemoryAnswer> {
    this.queries.push(query);
    if (this.fails) throw this.fails;
    const kinds = query.kinds;
    const wanted = this.rows.filter(({ path }) => !kinds || kinds.includes(kindOf(path)));
    return { rows: wanted.slice(0, query.limit ?? 6), mode: "keyword", notices: this.notices };
  }

  async read(place: MemoryPlace): Promise<MemoryText | null> {
    this.places.push(place);
    if (this.fails) throw this.fails;
    const file = this.files.get(place.path);
    if (!file) return null;
    const all = file.text.split("\n");
    const count = place.lines ?? 50;
    const from = place.newest ? Math.max(1, all.length - count + 1) : (place.from ?? 1);
    const shown = all.slice(from - 1, from - 1 + count);
    const to = from - 1 + shown.length;
    const { trust } = file;
    const why = place.why ? { traces: this.traces } : {};
    const text = shown.join("\n");
    return { path: place.path, from, to, total: all.length, text, trust, ...why };
  }

  async ingest(batch: TranscriptBatch): Promise<void> {
    if (this.fails) throw this.fails;
    this.batches.push(batch);
    for (const line of batch.lines) if (!this.lines.has(line.id)) this.lines.set(line.id, line);
  }

  async note(request: NoteRequest): Promise<NoteReceipt> {
    if (this.fails) throw this.fails;
    this.notes.push(request);
    return { ok: true, path: "memory/2026-05-03.md", added: true };
  }

  async status(): Promise<MemoryStatus> {
    if (this.fails) throw this.fails;
    const counts = { sources: 2, passages: 9, waiting: 1 };
    return { ...counts, comparing: false, embedder: "local/glove", problem: null };
  }
}

function kindOf(path: string): "curated" | "note" | "session" {
  if (path.startsWith("sessions/")) return "session";
  return path.startsWith("memory/") ? "note" : "curated";
}
