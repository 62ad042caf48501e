import type {
  GrepMatch,
  GrepQuery,
  GrepResult,
  WorkspaceEntry,
  WorkspaceFile,
} from "#contract/workspace.ts";
import type { OperationLog, StoredFile, WorkspaceStore } from "#contract/workspace-store.ts";
import { isMemorySource } from "#core/memory/memory-path.ts";
import { sha256Hex } from "#kit/sha256.ts";
import { classifyFile } from "./classify.ts";
import { compilePattern, LineSearch, type GrepClock } from "./grep.ts";
import type { Ledger } from "./ledger.ts";
import { markNames, nameBelow } from "./names.ts";
import { planBatch } from "./plan-batch.ts";

/**
 * Reads a workspace as its writer will leave it: what lies in storage, overlaid with what is logged
 * but not yet put. Every look is bounded; grep says when it did not see everything. Nothing is cached
 * here: files may be edited from outside at any time.
 */
export interface WorkspaceReader {
  read(path: string): Promise<WorkspaceFile | null>;
  list(folder: string): Promise<WorkspaceEntry[]>;
  grep(query: GrepQuery): Promise<GrepResult>;
}

/** Far more than any plan lets through; the rest is for the platform's own limits. */
const PENDING = 1_000;
const GREP_FILES = 300;
const GREP_BYTES = 8_000_000;
const PARALLEL = 6;

export interface ReaderPorts {
  readonly store: WorkspaceStore;
  readonly log: OperationLog;
  readonly ledger: Pick<Ledger, "about">;
  readonly clock: GrepClock;
}

export function createReader({ store, log, ledger, clock }: ReaderPorts): WorkspaceReader {
  async function read(path: string): Promise<WorkspaceFile | null> {
    const current = await remembered(ledger, await store.get(path));
    const pending = log.pending(path, PENDING);
    const plan = planBatch(current, pending);
    if (plan.applied.length === 0 || plan.text === null) return current && publicFile(current);
    const last = plan.applied.at(-1);
    return {
      path,
      text: plan.text,
      etag: `pending:${last?.operationId}`,
      size: last?.size ?? 0,
      ...(plan.untrusted ? { untrusted: true } : {}),
    };
  }

  return {
    read,

    async list(folder) {
      const [stored, origins] = await Promise.all([store.list(folder), store.origins(folder)]);
      const entries = new Map(stored.map(({ name, size }) => [name, { name, size }]));
      const files = [...origins.files];
      for (const path of log.pendingPaths()) {
        const name = nameBelow(folder, path);
        if (name === null || entries.has(name)) continue;
        const file = await read(path);
        if (!file) continue;
        entries.set(name, { name, size: name.endsWith("/") ? 0 : file.size });
        files.push({ path, untrusted: file.untrusted ?? false });
      }
      const sorted = [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
      return markNames(sorted, folder, { ...origins, files });
    },

    async grep(query) {
      const pattern = compilePattern(query.pattern, query.ignoreCase);
      if (!pattern.ok) return { ok: false, reason: pattern.error };
      const walked = await store.walk(query.folder, GREP_FILES);
      const paths = new Set(walked.files.map((file) => file.path));
      for (const path of log.pendingPaths()) {
        if (nameBelow(query.folder, path) !== null) paths.add(path);
      }
      if (paths.size === 0 && query.folder !== "") paths.add(query.folder);
      const search = new LineSearch(pattern.value, clock);
      return grepFiles([...paths].sort(), { read, search, query, walked });
    },
  };
}

/**
 * Whoever edits a file from outside takes its mark away without knowing. Of the memory the ledger still
 * knows which lines are nobody's; if it cannot be asked, all of them are.
 */
async function remembered(
  ledger: ReaderPorts["ledger"],
  file: StoredFile | null,
): Promise<StoredFile | null> {
  if (!file?.editable || file.untrusted || !isMemorySource(file.path)) return file;
  if (file.textHash === sha256Hex(file.text)) return file;
  try {
    const { lines } = classifyFile(file, await ledger.about(file));
    const doubtful = lines.some(({ origin, waiting }) => origin.trust === "untrusted" && !waiting);
    return doubtful ? { ...file, untrusted: true } : file;
  } catch {
    return { ...file, untrusted: true };
  }
}

interface GrepJob {
  read(path: string): Promise<WorkspaceFile | null>;
  readonly search: LineSearch;
  readonly query: GrepQuery;
  readonly walked: { readonly truncated: boolean };
}

async function grepFiles(paths: readonly string[], job: GrepJob): Promise<GrepResult> {
  const matches: GrepMatch[] = [];
  let untrusted = false;
  let bytes = 0;
  let looked = 0;
  const more = () =>
    bytes < GREP_BYTES && matches.length <= job.query.maxMatches && !job.search.over;
  while (looked < paths.length && more()) {
    const some = paths.slice(looked, looked + PARALLEL);
    const files = await Promise.all(some.map((path) => job.read(path)));
    for (const file of files) {
      if (!file) continue;
      bytes += file.size;
      const found = await job.search.lines(file.path, file.text);
      if (found.length > 0 && file.untrusted) untrusted = true;
      matches.push(...found);
    }
    looked += some.length;
  }
  const truncated =
    job.walked.truncated ||
    job.search.partial ||
    looked < paths.length ||
    matches.length > job.query.maxMatches;
  return {
    ok: true,
    matches: matches.slice(0, job.query.maxMatches),
    truncated,
    ...(untrusted ? { untrusted } : {}),
  };
}

function publicFile({ path, text, etag, size, untrusted }: StoredFile): WorkspaceFile {
  return { path, text, etag, size, ...(untrusted ? { untrusted } : {}) };
}
