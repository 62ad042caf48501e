import type { MemoryRow } from "#contract/memory.ts";
import type { ClassifiedFile } from "#contract/provenance.ts";
import type { MemoryUpkeep, WaitingLines } from "#contract/upkeep.ts";
import type { SourcePage } from "#contract/memory-index.ts";
import { isSaid } from "#core/memory/every-source.ts";
import { isMemorySource } from "#core/memory/memory-path.ts";
import { whyKnown } from "#core/memory/why.ts";
import {
  createAgentForgetting,
  type AgentForgetting,
  type ForgettingParts,
} from "./agent-forgetting.ts";
import type { AgentFiles } from "./agent-files.ts";

/** What the owner may ask of an agent's memory: its parts over the agent's files, index and conversations. */
export interface AgentUpkeep extends MemoryUpkeep, AgentForgetting {
  /** The whole of it, to its end. */
  rebuildNow(): Promise<void>;
}

export interface UpkeepParts extends Omit<ForgettingParts, "lookAs" | "schedule"> {
  /** Has what is due done soon. */
  readonly schedule: (job: "forget" | "index") => void;
  /** What was recalled, and what nights left, where the databases lost it. */
  readonly restoreEvidence: () => Promise<void>;
}

export function createAgentUpkeep(parts: UpkeepParts): AgentUpkeep {
  const { files, memory } = parts;
  const lookAs = (identity: string | null) => lookingAs(parts, identity);
  return {
    ...createAgentForgetting({ ...parts, lookAs, schedule: () => parts.schedule("forget") }),
    why: (text, identity) => whyKnown(lookAs(identity), text),
    waiting: () => waitingLines(files),
    adopt: (path) => files.adopt(path),
    versions: (path) => files.versions.list(path),
    version: async (path, id) => (await files.versions.read(path, id))?.text ?? null,
    restore: (request) => files.versions.restore(request),
    async rebuildNow() {
      await parts.restoreEvidence();
      await memory.keeper.rebuild();
    },
    async rebuild() {
      await parts.restoreEvidence();
      await memory.keeper.beginRebuild();
      parts.schedule("index");
    },
  };
}

/** Search and files as one person may see them. */
function lookingAs({ files, memory }: UpkeepParts, identity: string | null) {
  const asker = { sessionKey: "", identity, counts: false };
  return {
    async search(text: string, limit: number): Promise<readonly MemoryRow[]> {
      return (await memory.service.search({ text, limit, minScore: 0.2, asker })).rows;
    },
    async read(path: string): Promise<ClassifiedFile | null> {
      const file = await files.readClassified(path);
      if (!file?.conversation) return file;
      return identity !== null && file.conversation.identity === identity ? file : null;
    },
  };
}

/** Each is a file to read: beside the curated ones only the newest notes. */
const LOOKED_AT = 120;
const PARALLEL = 6;

async function waitingLines(files: AgentFiles): Promise<WaitingLines[]> {
  const listed: string[] = [];
  // What is said, the owner does not adopt; it comes behind all files.
  for (let after: string | null = ""; after !== null && !isSaid(after);) {
    const page: SourcePage = await files.listMemory(after);
    listed.push(...page.sources.map(({ path }) => path).filter(isMemorySource));
    after = page.next;
  }
  const [notes, curated] = [true, false].map((isNote) =>
    listed.filter((path) => path.includes("/") === isNote).toSorted(),
  );
  const queue = [...(curated ?? []), ...(notes ?? []).toReversed()].slice(0, LOOKED_AT);
  const found: WaitingLines[] = [];
  const next = async (): Promise<void> => {
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      const file = await files.readClassified(path);
      const lines = file?.lines.filter(({ text, waiting }) => waiting && text.trim() !== "");
      if (lines && lines.length > 0) found.push({ path, lines: lines.length });
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, next));
  return found.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
