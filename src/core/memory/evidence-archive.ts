import { z } from "zod";
import { dreamRecordSchema, type DreamRecord } from "#contract/dreaming.ts";
import type { EvidenceStore } from "#contract/evidence-store.ts";
import type { MemoryIndex, Recall } from "#contract/memory-index.ts";
import type { Log, Now } from "#contract/ports.ts";

/**
 * Evidence for dreaming lives in databases, which may be lost; so it is written beside the files, too:
 * what was recalled, a text a month with an object a line, and what the nights leave for each other. What
 * lies there is never less than what was saved: a database that was emptied takes nothing away. Recalls go
 * after ninety days.
 */
export interface EvidenceArchive {
  save(): Promise<void>;
  /** Puts back what the databases do not have. */
  restore(): Promise<void>;
  /** Takes out the recalls of these lines, and whatever the nights' record has forgotten. */
  forget(lineHashes: readonly string[]): Promise<void>;
}

export interface EvidencePorts {
  readonly store: EvidenceStore;
  readonly index: Pick<
    MemoryIndex,
    "recallsSince" | "addRecalls" | "removeRecalls" | "dropRecalls"
  >;
  readonly record: { get(): DreamRecord; set(record: DreamRecord): void };
  readonly now: Now;
  readonly report: Log;
}

const KEPT_MS = 90 * 86_400_000;
/** Of the two months that may still grow. */
const MAX_RECALLS = 20_000;
const CHUNK = 500;
const RECORD = "dreams.json";

const recallSchema = z.object({
  lineHash: z.string(),
  path: z.string(),
  queryHash: z.string(),
  day: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
  score: z.number(),
  rank: z.number(),
  sessionKey: z.string(),
  at: z.number(),
});

export function createEvidenceArchive(ports: EvidencePorts): EvidenceArchive {
  const { store, index, record } = ports;
  const firstDay = () => dayOf(ports.now() - KEPT_MS);

  async function months(): Promise<string[]> {
    return (await store.names()).filter((name) => /^recalls\/\d{4}-\d{2}\.jsonl$/.test(name));
  }

  return {
    async save() {
      const since = `${dayOf(ports.now() - 31 * 86_400_000).slice(0, 7)}-01`;
      const recalls = await index.recallsSince(since, MAX_RECALLS);
      for (const [name, fresh] of byMonth(recalls)) {
        const old = await store.get(name);
        const text = formatRecalls([...parseRecalls(ports, name, old), ...fresh]);
        if (text !== old) await store.put(name, text);
      }
      const lastDay = firstDay();
      for (const name of await months()) {
        if (name < nameOf(lastDay)) await store.remove(name);
      }
      await index.dropRecalls(lastDay);
      await saveRecord(ports);
    },

    async restore() {
      for (const name of await months()) {
        const all = parseRecalls(ports, name, await store.get(name));
        const kept = all.filter(({ day }) => day >= firstDay());
        for (let at = 0; at < kept.length; at += CHUNK) {
          await index.addRecalls(kept.slice(at, at + CHUNK));
        }
      }
      const saved = parseRecord(await store.get(RECORD));
      if (saved && record.get().lastAt === null) record.set(saved);
    },

    async forget(lineHashes) {
      await index.removeRecalls(lineHashes);
      const gone = new Set(lineHashes);
      for (const name of await months()) {
        const old = await store.get(name);
        const kept = parseRecalls(ports, name, old).filter(({ lineHash }) => !gone.has(lineHash));
        const text = formatRecalls(kept);
        if (text !== old) await store.put(name, text);
      }
      await forgetInRecord(ports);
    },
  };
}

/** What the nights know has forgotten already; what nobody knows any more may say anything. */
async function forgetInRecord(ports: EvidencePorts): Promise<void> {
  const { store, record } = ports;
  if (record.get().lastAt !== null) return saveRecord(ports);
  const text = await store.get(RECORD);
  const saved = parseRecord(text);
  if (saved) await store.put(RECORD, JSON.stringify({ ...saved, stated: [], takenOut: [] }));
  else if (text !== null) await store.remove(RECORD);
}

async function saveRecord({ store, record }: EvidencePorts): Promise<void> {
  const present = record.get();
  if (present.lastAt === null) return;
  const text = JSON.stringify(present);
  if (text !== (await store.get(RECORD))) await store.put(RECORD, text);
}

function byMonth(recalls: readonly Recall[]): Map<string, Recall[]> {
  const months = new Map<string, Recall[]>();
  for (const recall of recalls) {
    const name = nameOf(recall.day);
    months.set(name, [...(months.get(name) ?? []), recall]);
  }
  return months;
}

function nameOf(day: string): string {
  return `recalls/${day.slice(0, 7)}.jsonl`;
}

/** Of one line, question and day only the first stays; always in the same order. */
function formatRecalls(recalls: readonly Recall[]): string {
  const first = new Map<string, string>();
  for (const recall of recalls) {
    const { day, lineHash, queryHash } = recall;
    const key = `${day} ${lineHash} ${queryHash}`;
    if (!first.has(key)) first.set(key, JSON.stringify(recallSchema.parse(recall)));
  }
  return [...first]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, line]) => `${line}\n`)
    .join("");
}

/** A line that cannot be read is left out, and told. */
function parseRecalls({ report }: EvidencePorts, name: string, text: string | null): Recall[] {
  const lines = (text ?? "").split("\n").filter((line) => line !== "");
  const recalls = lines.flatMap((line) => parseJson(line, recallSchema) ?? []);
  const unreadable = lines.length - recalls.length;
  if (unreadable > 0) report.error("memory.recalls_unreadable", { name, unreadable });
  return recalls;
}

function parseRecord(text: string | null): DreamRecord | null {
  return text === null ? null : parseJson(text, dreamRecordSchema);
}

function parseJson<T>(text: string, schema: z.ZodType<T>): T | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
