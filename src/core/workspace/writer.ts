import type { Log, Now } from "#contract/ports.ts";
import type { LedgerEntry, LineRecord } from "#contract/provenance.ts";
import type { WorkspaceOperation, WorkspaceResult } from "#contract/workspace.ts";
import type {
  LoggedOperation,
  OperationLog,
  StoredFile,
  WorkspaceStore,
} from "#contract/workspace-store.ts";
import { isMemorySource } from "#core/memory/memory-path.ts";
import { errorText } from "#kit/error-text.ts";
import { CHANGED_MEANWHILE } from "./apply-change.ts";
import { classifyFile, recordsOf } from "./classify.ts";
import { isForeignAppend } from "./copies.ts";
import { describeVersion } from "./describe-version.ts";
import type { Ledger } from "./ledger.ts";
import { operationFault } from "./operation-fault.ts";
import type { PathLock } from "./path-lock.ts";
import { planBatch, type BatchPlan } from "./plan-batch.ts";

/**
 * The only writer of a workspace. An operation is logged before anything happens, then one loop per
 * path makes one put of everything that is logged for it, at most once per second. Each put names its
 * operations, so that after a crash the file itself says which of them arrived. What others write
 * between our read and our put is never lost: appends and replacements are made again on their text,
 * a whole-file write is given back. Trade-off: a caller waits up to a second for its turn to put.
 */
export interface WriterPorts {
  readonly store: WorkspaceStore;
  readonly log: OperationLog;
  readonly ledger: Ledger;
  /** Held from the read to the put. */
  readonly lock: PathLock;
  readonly report: Log;
  readonly now: Now;
  sleep(ms: number): Promise<void>;
  /** Called after each put, with what now is in the file. */
  onStored(file: PutFile): void;
  /** A put of before a crash has arrived: of that one nobody was told. */
  onArrived(path: string): void;
}

export interface PutFile {
  readonly path: string;
  readonly text: string;
  readonly etag: string;
  /** Who is behind its lines; only of the memory. */
  readonly entry?: LedgerEntry;
}

export interface WorkspaceWriter {
  /** Exactly once per operation id. Rejects only if the log itself fails. */
  apply(operation: WorkspaceOperation): Promise<WorkspaceResult>;
  /** Finishes what is logged. False: something is still waiting, try again later. */
  finishAll(): Promise<boolean>;
}

/** R2 takes one write per second and key. */
const PUT_INTERVAL_MS = 1_050;
const RETRY_DELAYS_MS = [300, 1_200, 3_000];
/** Lost races in a row before the loop leaves the path to a later try. */
const MAX_RACES = 8;
/** Operations in one put: their ids must fit the file's metadata. */
const BATCH = 16;
/** Longer than any outage: what still fails then would fail for ever, and hold up its file with it. */
const GIVE_UP_AFTER_MS = 3 * 86_400_000;

/** The one refusal that is none. */
export const KEPT =
  "Storage does not answer right now. The change is kept and will be made as soon as it does: do not repeat it.";
const GIVEN_UP =
  "Storage did not take the change for three days, so it was given up. Whether any of it arrived is unknown: read the file.";

/** The loop of one path. `round` is resolved and renewed with every try, so callers wait no longer. */
interface Run {
  round: PromiseWithResolvers<void>;
  end: Promise<void>;
}

export function createWriter(ports: WriterPorts): WorkspaceWriter {
  const running = new Map<string, Run>();

  function drain(path: string): Run {
    const present = running.get(path);
    if (present) return present;
    const run: Run = { round: Promise.withResolvers(), end: Promise.resolve() };
    running.set(path, run);
    run.end = drainPath(ports, path, {
      round() {
        run.round.resolve();
        run.round = Promise.withResolvers();
      },
      // In the same tick as the last look at the log, so that no operation slips between.
      end() {
        running.delete(path);
        run.round.resolve();
      },
    });
    return run;
  }

  return {
    async apply(operation) {
      const fault = operationFault(operation);
      if (!fault.ok) return { ok: false, reason: fault.error };
      const logged = ports.log.record(operation);
      if (logged.result) return logged.result;
      const { operationId, path } = logged.operation;
      const run = drain(path);
      for (;;) {
        await run.round.promise;
        const result = ports.log.get(operationId)?.result;
        if (result) return result;
        if (running.get(path) !== run) return { ok: false, reason: KEPT };
      }
    },

    async finishAll() {
      await Promise.all(ports.log.pendingPaths().map((path) => drain(path).end));
      return ports.log.pendingPaths().length === 0;
    },
  };
}

async function drainPath(
  ports: WriterPorts,
  path: string,
  signal: { round(): void; end(): void },
): Promise<void> {
  let failures = 0;
  let races = 0;
  try {
    while (ports.log.pending(path, 1).length > 0 && races < MAX_RACES) {
      const outcome = await putOnce(ports, path);
      signal.round();
      if (outcome === "lost race") races += 1;
      if (outcome !== "failed") continue;
      const delay = RETRY_DELAYS_MS[failures];
      failures += 1;
      if (delay === undefined) {
        giveUp(ports, path);
        return;
      }
      await ports.sleep(delay);
    }
  } finally {
    signal.end();
  }
}

/** After the last try of a round: what has been tried for days ends here. */
function giveUp(ports: WriterPorts, path: string): void {
  const old = ports.log
    .pending(path, BATCH)
    .filter(({ loggedAt }) => ports.now() - loggedAt >= GIVE_UP_AFTER_MS);
  if (old.length === 0) return;
  ports.report.error("workspace.given_up", { path, operations: old.length });
  ports.log.settle(
    old.map(({ operation }) => ({
      operationId: operation.operationId,
      result: { ok: false, reason: GIVEN_UP },
    })),
  );
}

async function putOnce(ports: WriterPorts, path: string): Promise<"done" | "lost race" | "failed"> {
  try {
    // Never longer than the interval: after the clock was set back the last put lies in the future.
    const wait = ports.log.lastPutAt(path) + PUT_INTERVAL_MS - ports.now();
    await ports.sleep(Math.min(wait, PUT_INTERVAL_MS));
    return await ports.lock.hold(path, () => putPending(ports, path));
  } catch (error) {
    ports.report.warn("workspace.put_failed", { path, error: errorText(error) });
    return "failed";
  }
}

async function putPending(ports: WriterPorts, path: string): Promise<"done" | "lost race"> {
  const current = await ports.store.get(path);
  const pending = ports.log.pending(path, BATCH);
  const plan = planBatch(current, pending, await knownForCopies(ports, current, pending));
  ports.log.settle(plan.settled);
  if (plan.settled.some(({ result }) => result.ok)) ports.onArrived(path);
  if (plan.text === null || plan.applied.length === 0) return "done";
  if (plan.text === current?.text && plan.untrusted === current.untrusted) {
    settleApplied(ports, plan, current.etag);
    return "done";
  }
  return putPlan(ports, { ...plan, path, text: plan.text }, current);
}

/** Asked for only where it matters: it may cost a look into the ledger. */
async function knownForCopies(
  { ledger }: WriterPorts,
  current: StoredFile | null,
  pending: readonly LoggedOperation[],
): Promise<ReadonlyMap<string, LineRecord> | undefined> {
  const appends = pending.some(
    ({ operation }) => isMemorySource(operation.path) && isForeignAppend(operation),
  );
  if (!appends || current?.editable === false) return undefined;
  if (!current) return new Map();
  return recordsOf(classifyFile(current, await ledger.about(current)));
}

async function putPlan(
  ports: WriterPorts,
  plan: BatchPlan & { path: string; text: string },
  current: StoredFile | null,
): Promise<"done" | "lost race"> {
  const { path, text } = plan;
  // Before the version itself: a crash in between can leave a line without a class, never with a higher.
  const described = await describeVersion(ports.ledger, plan, { current, at: ports.now() });
  if (current) await ports.store.keepVersion(current);
  const expected = current?.etag ?? null;
  const operations = plan.applied.map((planned) => planned.operationId);
  ports.log.start(plan.applied, expected);
  const { untrusted, entry } = described;
  const stored = await ports.store.put({
    path,
    text,
    untrusted,
    operations,
    expected,
    ...(entry ? { textHash: entry.textHash } : {}),
  });
  if (!stored) {
    giveBack(ports, plan, path);
    return "lost race";
  }
  settleApplied(ports, plan, stored.etag, ports.now());
  ports.onStored({ path, text, etag: stored.etag, ...(entry ? { entry } : {}) });
  if (current) await prune(ports, path);
  return "done";
}

function settleApplied(ports: WriterPorts, plan: BatchPlan, etag: string, putAt?: number): void {
  ports.log.settle(
    plan.applied.map(({ operationId, ...result }) => ({
      operationId,
      result: { ok: true, etag, ...result },
      ...(putAt === undefined ? {} : { putAt }),
    })),
  );
}

/** After a lost race: whole-file writes end here, everything else is made again on the new text. */
function giveBack(ports: WriterPorts, plan: BatchPlan, path: string): void {
  const ids = new Set(plan.applied.map((planned) => planned.operationId));
  const ours = ports.log
    .pending(path, BATCH)
    .filter((logged) => ids.has(logged.operation.operationId));
  const idsOf = (write: boolean) =>
    ours
      .filter((logged) => (logged.operation.change.type === "write") === write)
      .map((logged) => logged.operation.operationId);
  ports.log.retract(idsOf(false));
  ports.log.settle(
    idsOf(true).map((operationId) => ({
      operationId,
      result: { ok: false, reason: CHANGED_MEANWHILE },
    })),
  );
}

async function prune(ports: WriterPorts, path: string): Promise<void> {
  try {
    await ports.store.pruneVersions(path);
    if (isMemorySource(path)) await ports.ledger.prune(path);
  } catch (error) {
    ports.report.warn("workspace.prune_failed", { path, error: errorText(error) });
  }
}
