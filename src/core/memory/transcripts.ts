import type { TranscriptBatch } from "#contract/memory.ts";
import type { SourcePage } from "#contract/memory-index.ts";
import type { Log, Now } from "#contract/ports.ts";
import type { ClassifiedFile } from "#contract/provenance.ts";
import type {
  NewTranscript,
  TranscriptListing,
  TranscriptName,
  TranscriptStore,
} from "#contract/transcript-store.ts";
import { planIngest, touchedDays, dayOf, type DayPart } from "./ingest-plan.ts";
import {
  formatTranscript,
  forgetInTranscript,
  type Forgetting,
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
  /** Those behind a path, as sources of the memory. */
  list(after: string): Promise<SourcePage>;
  /**
   * Takes out what is to be forgotten, from `PART` transcripts at most: of those after a path, in order. `before`
   * is told of which lines, before it happens. The path to go on after; null = these were all.
   */
  removeLines(
    what: Forgetting,
    before: (path: string, removedHashes: readonly string[]) => void,
    after: string | null,
  ): Promise<string | null>;
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
/** Looked through for what is to be forgotten at a time: a read each, and few writes. */
const PART = 100;

export function createTranscripts(ports: TranscriptsPorts): Transcripts {
  const { store, timeZone } = ports;
  const shelf = createShelf(ports);
  const queue = createQueue<TranscriptBatch>((batches) => ingestAll(ports, shelf, batches));

  return {
    async ingest(batch) {
      if (batch.lines.length > 0) await queue(transcriptFolder(batch.sessionKey), batch);
    },

    async readClassified(path) {
      const name = parseTranscriptPath(path);
      const found = name && (await shelf.read(name));
      return found && readTranscript(found.stored, found.lines, timeZone);
    },

    async list(after) {
      const { listings, next } = await store.page(nameIn(after));
      const sources = listings.map((one) => ({ path: transcriptPath(one), etag: one.etag }));
      return { sources, next: next && transcriptPath(next) };
    },

    async removeLines(what, before, after) {
      const { listings, next } = await store.page(after === null ? null : nameIn(after));
      const part = listings.slice(0, PART);
      for (const listing of part) await removeIn(shelf, listing, { what, timeZone, before });
      const last = listings.length > PART ? part.at(-1) : next;
      return last ? transcriptPath(last) : null;
    },
  };
}

/** Of whatever was listed, also of what is no transcript of ours: it is only gone on after. */
function nameIn(path: string): TranscriptName | null {
  const [, folder, part] = /^sessions\/([^/]+)\/([^/]+)\.md$/.exec(path) ?? [];
  return folder === undefined || part === undefined ? null : { folder, part };
}

async function removeIn(
  shelf: Shelf,
  listing: TranscriptListing,
  facts: {
    readonly what: Forgetting;
    readonly timeZone: string;
    readonly before: (path: string, removedHashes: readonly string[]) => void;
  },
): Promise<void> {
  for (let races = 0; races < MAX_RACES; races += 1) {
    const found = await shelf.read(listing);
    if (!found) return;
    const { lines, removed } = forgetInTranscript(found.lines, facts.what, facts.timeZone);
    if (removed.length === 0) return;
    facts.before(transcriptPath(listing), removed);
    const { stored } = found;
    const text = formatTranscript(lines);
    if (await shelf.put({ ...stored, text, expected: stored.etag })) return;
  }
  throw new Error("the transcript keeps changing");
}

/** All batches are of one conversation, which may be with several people. */
async function ingestAll(
  ports: TranscriptsPorts,
  shelf: Shelf,
  batches: readonly TranscriptBatch[],
): Promise<void> {
  for (const person of new Set(batches.map(({ identity }) => identity))) {
    await ingestOf(
      ports,
      shelf,
      batches.filter(({ identity }) => identity === person),
    );
  }
}

async function ingestOf(
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
      one ? [{ ...one.stored, lines: one.lines, isOthers: one.stored.identity !== identity }] : [],
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
function createShelf(ports: TranscriptsPorts) {
  const { store, report } = ports;
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
      const wait = (lastPut.get(path) ?? 0) + PUT_INTERVAL_MS - ports.now();
      if (wait > 0) await ports.sleep(Math.min(wait, PUT_INTERVAL_MS));
      const done = await store.put(transcript);
      if (!done) return false;
      const at = ports.now();
      for (const [known, then] of lastPut) if (then < at - PUT_INTERVAL_MS) lastPut.delete(known);
      lastPut.set(path, at);
      ports.onStored(path);
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
