import type { TranscriptBatch } from "#contract/memory.ts";
import type { Log, Now } from "#contract/ports.ts";
import type { ClassifiedFile } from "#contract/provenance.ts";
import type {
  NewTranscript,
  TranscriptListing,
  TranscriptStore,
} from "#contract/transcript-store.ts";
import { planIngest, touchedDays, dayOf, type DayPart } from "./ingest-plan.ts";
import {
  formatTranscript,
  forgetInTranscript,
  keptLine,
  parseTranscript,
  parseTranscriptPath,
  readTranscript,
  transcriptFolder,
  transcriptPath,
} from "./transcript-text.ts";

/**
 * Takes over what was said in conversations, each line once, and gives it to the memory to read. Work
 * on one conversation is done in order; what comes while a put waits for its turn goes along with it.
 * A call that rejects may be repeated: lines that arrived are known by their ids.
 */
export interface Transcripts {
  ingest(batch: TranscriptBatch): Promise<void>;
  readClassified(path: string): Promise<ClassifiedFile | null>;
  list(): Promise<{ readonly path: string; readonly etag: string }[]>;
  /** Empties the lines that have one of these hashes; says what it did, by path. */
  removeLines(hashes: ReadonlySet<string>): Promise<RemovedLines[]>;
}

export interface RemovedLines {
  readonly path: string;
  /** Hashes of the lines as they were read. */
  readonly removed: readonly string[];
}

export interface TranscriptsPorts {
  readonly store: TranscriptStore;
  /** The owner's. */
  readonly timeZone: string;
  readonly redact: (text: string) => string;
  readonly now: Now;
  readonly report: Log;
  sleep(ms: number): Promise<void>;
  /** After each put: the source has changed. */
  onStored(path: string): void;
}

/** R2 takes one write per second and key. */
const PUT_INTERVAL_MS = 1_050;
const MAX_RACES = 8;

export function createTranscripts(ports: TranscriptsPorts): Transcripts {
  const { store, timeZone } = ports;
  const shelf = createShelf(ports);
  const queue = createQueue<TranscriptBatch>((batches) => ingestAll(ports, shelf, batches));

  async function removeIn(
    listing: TranscriptListing,
    hashes: ReadonlySet<string>,
  ): Promise<readonly string[]> {
    for (let races = 0; races < MAX_RACES; races += 1) {
      const found = await shelf.read(listing);
      if (!found) return [];
      const { lines, removed } = forgetInTranscript(found.lines, hashes, timeZone);
      if (removed.length === 0) return [];
      const { stored } = found;
      const text = formatTranscript(lines);
      if (await shelf.put({ ...stored, text, expected: stored.etag })) return removed;
    }
    throw new Error("the transcript keeps changing");
  }

  return {
    async ingest(batch) {
      if (batch.lines.length > 0) await queue(transcriptFolder(batch.sessionKey), batch);
    },

    async readClassified(path) {
      const name = parseTranscriptPath(path);
      const found = name && (await shelf.read(name));
      return found && readTranscript(found.stored, found.lines, timeZone);
    },

    async list() {
      const all = await store.list();
      return all.map((listing) => ({ path: transcriptPath(listing), etag: listing.etag }));
    },

    async removeLines(hashes) {
      const done: RemovedLines[] = [];
      for (const listing of await store.list()) {
        const removed = await removeIn(listing, hashes);
        if (removed.length > 0) done.push({ path: transcriptPath(listing), removed });
      }
      return done;
    },
  };
}

/** All batches are of one conversation. */
async function ingestAll(
  { store, timeZone, redact }: TranscriptsPorts,
  shelf: Shelf,
  batches: readonly TranscriptBatch[],
): Promise<void> {
  const [first] = batches;
  if (!first) return;
  const { sessionKey, identity } = first;
  const folder = transcriptFolder(sessionKey);
  const lines = batches.flatMap((batch) => batch.lines).map((line) => keptLine(line, redact));
  const days = touchedDays(lines, timeZone);
  for (let races = 0; races < MAX_RACES; races += 1) {
    const near = (await store.list(folder)).filter(({ part }) => days.has(dayOf(part)));
    const found = await Promise.all(near.map((name) => shelf.read(name)));
    const parts = found.flatMap((one): DayPart[] =>
      one ? [{ ...one.stored, lines: one.lines }] : [],
    );
    const changes = planIngest(parts, lines, timeZone);
    if (
      await putAll(
        shelf,
        changes.map((change) => ({ folder, sessionKey, identity, ...change })),
      )
    ) {
      return;
    }
  }
  throw new Error("the transcript keeps changing");
}

/** False: somebody else has written meanwhile. What has been put already is known by its ids. */
async function putAll(shelf: Shelf, changes: readonly NewTranscript[]): Promise<boolean> {
  for (const change of changes) if (!(await shelf.put(change))) return false;
  return true;
}

type Shelf = ReturnType<typeof createShelf>;

/** Storage with its rules: one put per second and key, and lines that may be damaged. */
function createShelf({ store, now, sleep, report, onStored }: TranscriptsPorts) {
  const lastPut = new Map<string, number>();
  return {
    async read(name: { folder: string; part: string }) {
      const stored = await store.get(name);
      if (!stored) return null;
      const { lines, unreadable } = parseTranscript(stored.text);
      if (unreadable > 0) {
        report.error("transcript.unreadable", { path: transcriptPath(stored), unreadable });
      }
      return { stored, lines };
    },
    async put(transcript: NewTranscript): Promise<boolean> {
      const path = transcriptPath(transcript);
      // After the clock was set back the last put lies in the future.
      const wait = (lastPut.get(path) ?? 0) + PUT_INTERVAL_MS - now();
      if (wait > 0) await sleep(Math.min(wait, PUT_INTERVAL_MS));
      const done = await store.put(transcript);
      if (!done) return false;
      for (const [known, at] of lastPut) if (at < now() - PUT_INTERVAL_MS) lastPut.delete(known);
      lastPut.set(path, now());
      onStored(path);
      return true;
    },
  };
}

/** Work of one name is done one after another; what comes while some is under way is done together. */
function createQueue<Item>(work: (items: readonly Item[]) => Promise<void>) {
  const waiting = new Map<
    string,
    { readonly item: Item; readonly done: PromiseWithResolvers<void> }[]
  >();

  async function run(name: string): Promise<void> {
    for (;;) {
      const taken = waiting.get(name) ?? [];
      if (taken.length === 0) break;
      waiting.set(name, []);
      try {
        await work(taken.map(({ item }) => item));
        for (const { done } of taken) done.resolve();
      } catch (error) {
        for (const { done } of taken) done.reject(error);
      }
    }
    waiting.delete(name);
  }

  return (name: string, item: Item): Promise<void> => {
    const done = Promise.withResolvers<void>();
    const present = waiting.get(name);
    if (present) {
      present.push({ item, done });
    } else {
      waiting.set(name, [{ item, done }]);
      void run(name);
    }
    return done.promise;
  };
}
