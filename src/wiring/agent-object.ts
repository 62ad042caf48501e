import { agentIdSchema } from "#contract/config.ts";
import type { UsageRow } from "#contract/agent-port.ts";
import type { Log } from "#contract/ports.ts";
import { Lanes } from "#core/agent/lanes.ts";
import { createIntentBook, type IntentBook } from "#core/memory/intent-book.ts";
import { isPinned } from "#core/state/pinned.ts";
import { errorText } from "#kit/error-text.ts";
import { openAgentDatabase } from "#platform/agent/database.ts";
import { createIntentStore } from "#platform/agent/intents.ts";
import { createNotices, type Notices } from "#platform/agent/notices.ts";
import { SessionDirectory } from "#platform/agent/sessions.ts";
import { sweep, type Wake } from "#platform/agent/sweep.ts";
import { createTimetable, type Jobs, type Timetable } from "#platform/agent/timetable.ts";
import { createUsageBuffer, type UsageBuffer } from "#platform/agent/usage-buffer.ts";
import { createUsageLedger } from "#platform/d1/usage.ts";
import type { AgentDreaming } from "./agent-dreaming.ts";
import type { AgentEvidence } from "./agent-evidence.ts";
import { createAgentFiles, type AgentFiles, type AgentFilesPorts } from "./agent-files.ts";
import { createAgentMemory, type AgentMemory } from "./agent-memory.ts";
import { openShelf, type AgentShelf } from "./agent-shelf.ts";
import { withIntents } from "./intents.ts";
import { memoryFiles } from "./memory-files.ts";
import type { AgentUpkeep } from "./agent-upkeep.ts";
import { openReflection } from "./open-reflection.ts";
import { loadRuntime } from "./runtime.ts";
import { sessionStub } from "./stubs.ts";
import { createWake } from "./wake-session.ts";

/**
 * Builds what one AgentDO is made of. Synchronous, for its constructor: the schema is migrated before
 * any call gets in. The parts know nothing of each other; what joins them is here.
 */
export interface AgentParts {
  readonly sessions: SessionDirectory;
  readonly lanes: Lanes;
  readonly notices: Notices;
  readonly usage: Pick<UsageBuffer, "add">;
  readonly files: AgentFiles;
  readonly memory: AgentMemory;
  readonly intents: IntentBook;
  readonly dreaming: AgentDreaming;
  readonly upkeep: AgentUpkeep;
  readonly wake: Wake;
  readonly log: Log;
  sweep(): ReturnType<typeof sweep>;
  /** Runs what is due, and sees to it that the alarm comes again. */
  runDueWork(): Promise<void>;
}

type JobName = "usage" | "writes" | "index" | "dream" | "forget" | "evidence" | "sessions";

/** Rows of one run: few enough statements for any plan. */
const FLUSH_ROWS = 49;
const FLUSH_DELAY_MS = 10_000;
/** A write is finished by its own call; this is for what a crash leaves behind. */
const FINISH_DELAY_MS = 5_000;
const RECOVERY_DELAY_MS = 60_000;

export function createAgentParts(state: DurableObjectState, env: Env): AgentParts {
  const agentId = agentIdSchema.parse(state.id.name);
  const { storage } = state;
  const { runtime, log } = loadRuntime(env);
  const wake = createWake((key) => sessionStub(env, key));
  const database = openAgentDatabase(storage);
  const now = () => Date.now();
  const timetable = createTimetable<JobName>({ database, storage, now, report: log });
  const { pinned } = runtime.config.session.retention;
  const sessions = new SessionDirectory(database, now, (session) => isPinned(pinned, session));
  const buffer = createUsageBuffer(database);
  const intents = createIntentBook(createIntentStore(database), now);
  const { timeZone } = runtime;
  const files = openFiles(
    { bucket: env.FILES, agentId, database, timeZone, report: log, now },
    timetable,
    () => ({ memory, evidence }),
  );
  const memory = createAgentMemory(env, state, {
    agentId,
    files: memoryFiles(files),
    database,
    schedule: (at) => timetable.schedule("index", at),
    onRecalled: () => evidence.note(),
  });
  const usage = { add: (rows: readonly UsageRow[]) => addUsage(buffer, rows, timetable) };
  const known = { agentId, database, storage, files, memory, intents, sessions, log };
  const { evidence, dreaming, upkeep } = openReflection(env, {
    ...known,
    addUsage: usage.add,
    schedule: (job, at) => timetable.schedule(job, at),
  });
  const shelf = openShelf(env, sessions, () => timetable.schedule("sessions", now()));
  const jobs = createJobs({ env, buffer, files, memory, dreaming, upkeep, evidence, shelf });

  return {
    sessions,
    files: { ...files, bootstrap: withIntents(files.bootstrap, intents) },
    memory,
    intents,
    dreaming,
    upkeep,
    wake,
    log,
    lanes: new Lanes(now),
    notices: createNotices(database, now),
    usage,
    async sweep() {
      await timetable.ensureAlarm();
      memory.lookAround();
      dreaming.tick();
      shelf.tick();
      return sweep(sessions, wake, log);
    },
    runDueWork: () => runDueWork(storage, log, () => timetable.run(jobs)),
  };
}

/** The index follows the files; it is made from them, so it comes later. */
function openFiles(
  ports: Omit<AgentFilesPorts, "onRecorded" | "onChanged" | "onForgotten">,
  timetable: Timetable<JobName>,
  known: () => { readonly memory: AgentMemory; readonly evidence: AgentEvidence },
): AgentFiles {
  return createAgentFiles({
    ...ports,
    onRecorded: () => timetable.schedule("writes", ports.now() + FINISH_DELAY_MS),
    onChanged: (path) => known().memory.keeper.mark(path),
    onForgotten: (hashes) => known().evidence.forget(hashes),
  });
}

function addUsage(
  buffer: UsageBuffer,
  rows: readonly UsageRow[],
  timetable: Timetable<JobName>,
): void {
  if (rows.length === 0) return;
  buffer.add(rows);
  timetable.schedule("usage", Date.now() + FLUSH_DELAY_MS);
}

function createJobs(parts: {
  readonly env: Env;
  readonly buffer: UsageBuffer;
  readonly files: AgentFiles;
  readonly memory: AgentMemory;
  readonly dreaming: AgentDreaming;
  readonly upkeep: AgentUpkeep;
  readonly evidence: AgentEvidence;
  readonly shelf: AgentShelf;
}): Jobs<JobName> {
  const { buffer, files, memory, dreaming, upkeep, evidence, shelf } = parts;
  const ledger = createUsageLedger(parts.env.DB);
  return {
    async usage() {
      const rows = buffer.peek(FLUSH_ROWS);
      await ledger.add(rows);
      buffer.remove(rows.map((row) => row.id));
      return rows.length === FLUSH_ROWS ? "more" : "done";
    },
    writes: async () => ((await files.writer.finishAll()) ? "done" : "failed"),
    index: () => memory.keeper.run(),
    // What is being forgotten must not be dreamt meanwhile.
    async dream() {
      if (upkeep.isForgetting()) return "failed";
      const outcome = await dreaming.step();
      if (outcome === "done") evidence.noteNight();
      return outcome;
    },
    evidence: () => evidence.run(),
    forget: () => upkeep.step(),
    sessions: () => shelf.step(),
  };
}

/** An alarm that throws is dropped after a few tries; rejects only if not even an alarm can be set. */
async function runDueWork(
  storage: DurableObjectStorage,
  report: Log,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    report.error("alarm.failed", { error: errorText(error) });
    await storage.setAlarm(Date.now() + RECOVERY_DELAY_MS);
  }
}
