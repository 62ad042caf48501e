import type { LedgerEntry, LineRecord } from "#contract/provenance.ts";
import type { StoredFile } from "#contract/workspace-store.ts";
import { isMemorySource } from "#core/memory/memory-path.ts";
import { classifyFile, recordsOf } from "./classify.ts";
import type { Ledger } from "./ledger.ts";
import type { BatchPlan } from "./plan-batch.ts";
import { nextRecords } from "./records.ts";

/**
 * Writes down who is behind the lines of a version that is about to be put. Costs one small put, and a
 * look into the ledger where the file is not the one that was put last. Rejects if storage does: then
 * there is no put either.
 */
export interface DescribedPlan {
  /** The mark of the whole file. */
  readonly untrusted: boolean;
  /** Absent: no source of memory, so no ledger is kept. */
  readonly entry?: LedgerEntry;
}

export async function describeVersion(
  ledger: Ledger,
  plan: BatchPlan & { readonly path: string; readonly text: string },
  { current, at }: { readonly current: StoredFile | null; readonly at: number },
): Promise<DescribedPlan> {
  const { path, text, steps, untrusted, applied } = plan;
  if (!isMemorySource(path)) return { untrusted };
  const known = current && classifyFile(current, await ledger.about(current));
  const restored = await restoredLines(ledger, plan);
  const lines = nextRecords(recordsOf(known), steps, { at, restored });
  const operationId = applied.at(-1)?.operationId ?? "";
  const entry = await ledger.write({ path, text, lines, operationId });
  const doubtful = lines.some((line) => line.trust === "untrusted" && !line.waiting);
  return { untrusted: untrusted || doubtful, entry };
}

async function restoredLines(
  ledger: Ledger,
  { path, steps }: Pick<BatchPlan, "steps"> & { readonly path: string },
): Promise<Map<string, LineRecord>> {
  const restoring = steps.findLast(({ operation }) => operation.restores);
  return restoring ? await ledger.linesOf(path, restoring.after) : new Map();
}
