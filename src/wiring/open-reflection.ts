import type { UsageRow } from "#contract/agent-port.ts";
import type { Log } from "#contract/ports.ts";
import type { IntentBook } from "#core/memory/intent-book.ts";
import type { AgentDatabase } from "#platform/agent/database.ts";
import { createDocuments } from "#platform/agent/documents.ts";
import type { SessionDirectory } from "#platform/agent/sessions.ts";
import { createAgentSettings } from "#platform/agent/settings.ts";
import { createArchiveTexts } from "#platform/r2/archive-texts.ts";
import type { AgentDreaming } from "./agent-dreaming.ts";
import { openEvidence, type AgentEvidence } from "./agent-evidence.ts";
import type { AgentFiles } from "./agent-files.ts";
import type { AgentMemory } from "./agent-memory.ts";
import { createAgentUpkeep, type AgentUpkeep } from "./agent-upkeep.ts";
import { createHandOver } from "./hand-over.ts";
import { openDreaming } from "./open-dreaming.ts";
import { sessionStub } from "./stubs.ts";

/** Env → what one agent makes of its memory by itself or on its owner's word: dreams, evidence, upkeep. */
export interface Reflection {
  readonly evidence: AgentEvidence;
  readonly dreaming: AgentDreaming;
  readonly upkeep: AgentUpkeep;
}

export interface ReflectionParts {
  readonly agentId: string;
  readonly database: AgentDatabase;
  readonly storage: DurableObjectStorage;
  readonly files: AgentFiles;
  readonly memory: AgentMemory;
  readonly intents: IntentBook;
  readonly sessions: SessionDirectory;
  readonly log: Log;
  readonly addUsage: (rows: readonly UsageRow[]) => void;
  readonly schedule: (job: "dream" | "evidence" | "forget" | "index", at: number) => void;
}

export function openReflection(env: Env, parts: ReflectionParts): Reflection {
  const { agentId, database, storage, files, memory, intents, sessions, log, schedule } = parts;
  const documents = createDocuments(database, storage);
  const settings = createAgentSettings(database);
  const evidence = openEvidence(env, {
    agentId,
    index: memory.index,
    documents,
    settings,
    log,
    schedule: (at) => schedule("evidence", at),
  });
  const session = (key: string) => sessionStub(env, key);
  const handOver = createHandOver({ sessions, session, log });
  const dreaming = openDreaming(env, {
    agentId,
    files,
    memory,
    handOver,
    documents,
    settings,
    addUsage: parts.addUsage,
    schedule: () => schedule("dream", Date.now()),
  });
  const upkeep = createAgentUpkeep({
    files,
    memory,
    intents,
    sessions,
    documents,
    log,
    archives: createArchiveTexts(env.FILES, agentId),
    session,
    handOver,
    restoreEvidence: () => evidence.restore(),
    now: Date.now,
    schedule: (job) => schedule(job, Date.now()),
  });
  return { evidence, dreaming, upkeep };
}
