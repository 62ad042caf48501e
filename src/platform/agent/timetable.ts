import { eq } from "drizzle-orm";
import type { Log, Now } from "#contract/ports.ts";
import { errorText } from "#kit/error-text.ts";
import { inReach } from "#kit/in-reach.ts";
import type { AgentDatabase } from "./database.ts";
import { due } from "./schema.ts";

/**
 * Many pieces of due work on the one alarm an object has. The row is the truth and the alarm only a
 * wake-up: work runs when its time has come, whichever alarm or call noticed. A job that fails or has
 * not finished is tried again with its own growing delay, and never keeps others from running.
 */
export type JobOutcome = "done" | "more" | "failed";
export type Job = () => Promise<JobOutcome>;
export type Jobs<Name extends string> = Readonly<Record<Name, Job>>;

export interface Timetable<Name extends string> {
  /** Sees to it that the job runs at `at` or earlier. Part of the surrounding transaction. */
  schedule(name: Name, at: number): void;
  /** Runs what is due and sets the alarm for the rest. Never rejects. */
  run(jobs: Jobs<Name>): Promise<void>;
  /** Sets an alarm that got lost. */
  ensureAlarm(): Promise<void>;
}

const FIRST_DELAY_MS = 5_000;
/** Nothing is put off for longer. */
const MAX_DELAY_MS = 30 * 60_000;

export interface TimetablePorts {
  readonly database: AgentDatabase;
  readonly storage: DurableObjectStorage;
  readonly now: Now;
  readonly report: Log;
}

export function createTimetable<Name extends string>(ports: TimetablePorts): Timetable<Name> {
  const { storage, now, report } = ports;
  const rows = dueRows(ports.database, now);
  /** Jobs under way, each with the earliest time it was scheduled for meanwhile. */
  const running = new Map<string, number>();

  function arm(): void {
    const at = rows.earliest([...running.keys()]);
    // Not awaited: it belongs to the same implicit transaction as the rows above it.
    if (at !== null) void storage.setAlarm(Math.max(at, now()));
  }

  /** The row stays while its job runs: after a crash the alarm comes again and finds it due. */
  async function runOne(name: string, failures: number, job: Job | undefined): Promise<void> {
    running.set(name, Number.POSITIVE_INFINITY);
    const outcome = await runJob(report, name, job);
    const again = outcome === "more" ? now() : (running.get(name) ?? Number.POSITIVE_INFINITY);
    running.delete(name);
    if (outcome === "failed")
      rows.put({ name, at: now() + delay(failures), failures: failures + 1 });
    else if (Number.isFinite(again)) rows.put({ name, at: again, failures: 0 });
    else rows.remove(name);
  }

  return {
    schedule(name, at) {
      const meanwhile = running.get(name);
      if (meanwhile !== undefined) {
        running.set(name, Math.min(meanwhile, at));
        return;
      }
      const known = rows.get(name);
      if (known && known.at <= at) return;
      rows.put({ name, at, failures: known?.failures ?? 0 });
      arm();
    },
    async run(jobs) {
      for (const { name, failures } of rows.ready()) {
        if (!running.has(name)) await runOne(name, failures, jobs[name as Name]);
      }
      arm();
    },
    async ensureAlarm() {
      const alarm = await storage.getAlarm();
      const overdue = alarm === null || alarm < now() - 60_000;
      if (overdue || alarm > now() + MAX_DELAY_MS) arm();
    },
  };
}

type DueRow = typeof due.$inferSelect;

/** Few rows, asked about with every turn: read once in the life of the object, their only writer. */
function dueRows(database: AgentDatabase, now: Now) {
  let kept: Map<string, DueRow> | undefined;
  const rows = (): Map<string, DueRow> => {
    kept ??= new Map(
      database
        .select()
        .from(due)
        .all()
        .map((row) => [row.name, row]),
    );
    return kept;
  };
  const timeOf = ({ at }: DueRow) => inReach(at, now(), MAX_DELAY_MS);
  return {
    get: (name: string) => rows().get(name),
    ready: () =>
      [...rows().values()].filter((row) => timeOf(row) <= now()).toSorted((a, b) => a.at - b.at),
    earliest(besides: readonly string[]): number | null {
      const others = [...rows().values()].filter(({ name }) => !besides.includes(name));
      return others.length === 0 ? null : Math.min(...others.map(timeOf));
    },
    put(row: DueRow): void {
      const { at, failures } = row;
      database
        .insert(due)
        .values(row)
        .onConflictDoUpdate({ target: due.name, set: { at, failures } })
        .run();
      rows().set(row.name, row);
    },
    remove(name: string): void {
      database.delete(due).where(eq(due.name, name)).run();
      rows().delete(name);
    },
  };
}

function delay(failures: number): number {
  return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** failures);
}

async function runJob(report: Log, name: string, job: Job | undefined): Promise<JobOutcome> {
  if (!job) {
    report.error("alarm.unknown_job", { job: name });
    return "done";
  }
  try {
    return await job();
  } catch (error) {
    report.error("alarm.job_failed", { job: name, error: errorText(error) });
    return "failed";
  }
}
