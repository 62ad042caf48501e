import type { CuratedFile, DreamRequest, RecallSignal } from "#contract/dreaming.ts";
import type { MemoryIndex } from "#contract/memory-index.ts";
import type { Log, Now } from "#contract/ports.ts";
import type { QuotedLine } from "#contract/provenance.ts";
import type { WorkspaceOperation } from "#contract/workspace.ts";
import { everySource } from "#core/memory/every-source.ts";
import { noteDay } from "#core/memory/note-format.ts";
import type { Classifier } from "#core/workspace/classifier.ts";
import type { Versions } from "#core/workspace/versions.ts";
import { KEPT, type WorkspaceWriter } from "#core/workspace/writer.ts";
import type { DreamStore } from "./dream-store.ts";
import type { DreamPorts } from "./driver.ts";
import { gatherEvidence, gatherSources, memoryFile, type GatherPorts } from "./gather.ts";
import type { NightNeed, ReportAppend } from "./night-state.ts";
import type { EarlierFile } from "./taken-out.ts";

/**
 * What a night needs, made of an agent's files, its recalls and its model. Who is behind what a night
 * writes is said here: the agent for its entries, whoever it was for all other lines, the product for
 * reports.
 */
export interface NightParts {
  readonly files: Pick<Classifier, "readClassified" | "listMemory"> & {
    readonly writer: Pick<WorkspaceWriter, "apply">;
    readonly versions: Pick<Versions, "list" | "classified">;
  };
  readonly index: Pick<MemoryIndex, "recallsSince">;
  readonly store: DreamStore;
  readonly timeZone: string;
  readonly now: Now;
  readonly log: Log;
  /** Lets conversations hand over what was said since. Never rejects. */
  handOver(): Promise<void>;
  /** Null: no model, or it failed. */
  ask(request: DreamRequest, operationId: string): Promise<string | null>;
}

const MAX_RECALLS = 5_000;
/** Kept versions of MEMORY.md that are looked into. */
const MAX_EARLIER = 8;

export function gatherPorts({
  files,
  index,
  now,
  timeZone,
}: Pick<NightParts, "files" | "index" | "now" | "timeZone">): GatherPorts {
  return {
    list: () => everySource((after) => files.listMemory(after)),
    read: (path) => files.readClassified(path),
    earlier: (path, since) => earlierFiles(files.versions, path, since),
    recalls: async (since) =>
      (await index.recallsSince(since, MAX_RECALLS)).map(
        ({ path, lineHash, queryHash, day, score }): RecallSignal => ({
          path,
          hash: lineHash,
          // Only rows that were found among clean ones are ever written down.
          trust: "agent",
          query: queryHash,
          day,
          score,
        }),
      ),
    dayOf: (at) => noteDay({ at, timeZone }),
    now,
  };
}

export function nightPorts(parts: NightParts): DreamPorts {
  const { store, now, log } = parts;
  const gather = gatherPorts(parts);
  return {
    store,
    now,
    log,
    async evidence(days, since) {
      await parts.handOver();
      return gatherEvidence(gather, days, since);
    },
    sources: (sources) => gatherSources(gather, sources),
    ask: (request, operationId) => parts.ask(request, operationId),
    write: (need) => writeMemory(parts, gather, need),
    append: (report) => appendReport(parts, report),
  };
}

async function earlierFiles(
  versions: NightParts["files"]["versions"],
  path: string,
  since: number | null,
): Promise<EarlierFile[]> {
  const kept = (await versions.list(path)).filter(({ at }) => since === null || at > since);
  const files: EarlierFile[] = [];
  for (const { id, at } of kept.slice(0, MAX_EARLIER)) {
    const lines = await versions.classified(path, id);
    if (lines) files.push({ lines, at });
  }
  return files;
}

/**
 * What a night has let go of is to be found after years of nights, too: a DREAMS.md that is full goes on in a
 * file of the day. A report that has no room at all must not undo the night it tells of: the log has to do.
 */
async function appendReport(parts: NightParts, report: ReportAppend): Promise<void> {
  const { log, now, timeZone } = parts;
  const reason = await appended(parts, report);
  if (reason === null) return;
  log.warn("dreaming.report_refused", { path: report.path, reason });
  if (report.path !== "DREAMS.md" || reason === KEPT) return;
  const path = `memory/dreaming/dreams/${noteDay({ at: now(), timeZone })}.md`;
  await appended(parts, { ...report, path, operationId: `${report.operationId}:elsewhere` });
}

/** Null: it is written. */
async function appended(
  { files, now }: NightParts,
  { path, text, operationId }: ReportAppend,
): Promise<string | null> {
  const result = await files.writer.apply({
    operationId,
    path,
    change: { type: "append", text },
    authority: { kind: "product", purpose: "dreaming" },
    author: { trust: "system", at: now() },
  });
  return result.ok ? null : result.reason;
}

/** Null: it is written. Else the file as it is instead. Throws where storage does not answer. */
async function writeMemory(
  { files, now }: NightParts,
  gather: GatherPorts,
  need: Extract<NightNeed, { type: "write" }>,
): Promise<CuratedFile | null> {
  const { operationId, path, text, lines, ifEtag } = need;
  const author = { trust: "agent" as const, at: now() };
  const quoted = lines
    .filter(({ trust }) => trust !== "agent")
    .map((line): QuotedLine => ({ text: line.text, origin: { trust: line.trust, at: now() } }));
  const operation: WorkspaceOperation = {
    operationId,
    path,
    change: { type: "write", text, ifEtag },
    authority: { kind: "product", purpose: "dreaming" },
    author,
    quoted,
  };
  const result = await files.writer.apply(operation);
  if (result.ok) return null;
  const present = await memoryFile(gather);
  if (present.etag === ifEtag) throw new Error(result.reason);
  return present;
}
