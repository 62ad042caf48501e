import { z } from "zod";
import { withoutForgotten } from "#core/memory/forgotten.ts";
import { lineHash } from "#core/memory/line-hash.ts";
import type { Transcripts } from "#core/memory/transcripts.ts";
import type { ForgetLines, ForgottenLines } from "#contract/agent-rpc.ts";
import type { LedgerStore } from "#contract/ledger-store.ts";
import type { WorkspaceStore } from "#contract/workspace-store.ts";
import { sha256Hex } from "#core/routing/sha256.ts";
import { createForgetter, type Forgetter } from "#kit/text/forget-text.ts";
import type { Ledger } from "./ledger.ts";
import type { WorkspaceReader } from "./reader.ts";
import type { WorkspaceWriter } from "./writer.ts";

/**
 * Takes facts out of everything that is kept of them: memory files, dream reports, transcripts, the
 * versions kept of files, and the ledger. A call that rejects, is cut off or was refused a file is made again
 * with the same id and goes on; one that is finished says what it said. What is known of the lines meanwhile are
 * hashes, and in the end not even those.
 */
export interface ForgetPorts {
  readonly store: WorkspaceStore;
  readonly reader: Pick<WorkspaceReader, "read">;
  readonly writer: WorkspaceWriter;
  readonly ledger: Ledger;
  readonly ledgerStore: Pick<LedgerStore, "paths">;
  readonly transcripts: Pick<Transcripts, "removeLines">;
  /** One text per operation, for good. */
  readonly state: { get(operationId: string): string | null; set(id: string, text: string): void };
  /** What else is known of lines by their hashes; last of all, and again after a crash. */
  onForgotten?(hashes: readonly string[]): Promise<void>;
}

const stateSchema = z.object({
  done: z.boolean(),
  /** Of the lines as they stood in the files: by these the ledger knows them. */
  hashes: z.array(z.string()),
  removed: z.record(z.string(), z.number()),
  versions: z.array(z.string()),
});
type State = z.infer<typeof stateSchema>;

export async function forgetLines(
  ports: ForgetPorts,
  request: ForgetLines,
): Promise<ForgottenLines> {
  const { operationId } = request;
  const state = readState(ports.state.get(operationId));
  if (state.done) return reportOf(state);
  const save = () => ports.state.set(operationId, JSON.stringify(state));
  const note: Note = (path, removed) => {
    state.removed[path] = Math.max(state.removed[path] ?? 0, removed.length);
    state.hashes = [...new Set([...state.hashes, ...removed])];
    save();
  };
  const sentences = createForgetter(request.texts ?? []);
  const inReports = await linesOfReports(ports, sentences);
  // Those of a try that was cut off are in the versions still.
  const hashes = new Set([...request.hashes, ...inReports, ...state.hashes]);
  const refused = await forgetInFiles(ports, { operationId, hashes: [...hashes] }, note);
  await ports.transcripts.removeLines({ hashes, sentences }, note);
  // A change that a crash left in the log is shown as made, and keeps what it overwrites only when it is.
  if (!(await ports.writer.finishAll())) throw new Error("changes of files are still waiting");
  await forgetInVersions(ports, hashes, { state, save });
  await ports.onForgotten?.(state.hashes);
  for (const path of refused) delete state.removed[path];
  if (refused.length === 0) Object.assign(state, { done: true, hashes: [] });
  save();
  return { ...reportOf(state), refused };
}

/** What dreaming tells of its work says facts among other things. */
async function linesOfReports(
  { store, reader }: ForgetPorts,
  { finds }: Forgetter,
): Promise<string[]> {
  const reports = (await store.etags("memory/dreaming")).map(({ path }) => path);
  const hashes: string[] = [];
  for (const path of ["DREAMS.md", ...reports]) {
    const file = await reader.read(path);
    const lines = file?.text.split("\n") ?? [];
    hashes.push(...lines.filter((line) => isAbout(line, finds)).map(lineHash));
  }
  return hashes;
}

/**
 * A line of a report is one entry, whatever stands around the fact in it. A line of themes is single words
 * of whatever was said, of these facts or not.
 */
function isAbout(line: string, finds: Forgetter["finds"]): boolean {
  return line.startsWith("Themes: ") || (line.trim() !== "" && finds(line));
}

/** Called before the lines go, so that a report is whole after a crash. */
type Note = (path: string, removedHashes: readonly string[]) => void;

const curated = ["MEMORY.md", "USER.md", "DREAMS.md"];

async function forgetInFiles(
  { store, reader, writer }: ForgetPorts,
  { operationId, hashes }: ForgetLines,
  note: Note,
): Promise<string[]> {
  const refused: string[] = [];
  const notes = (await store.etags("memory")).map(({ path }) => path);
  for (const path of [...curated, ...notes.filter((each) => each.endsWith(".md"))]) {
    const file = await reader.read(path);
    const { removed } = withoutForgotten(file?.text ?? "", new Set(hashes));
    if (removed.length === 0) continue;
    note(path, removed.map(lineHash));
    const result = await writer.apply({
      // Of its own for each text: a line that came back in the meantime goes again.
      operationId: `${sha256Hex(operationId).slice(0, 32)}:${sha256Hex(path + file?.text).slice(0, 32)}`,
      path,
      change: { type: "forget", hashes },
      authority: { kind: "owner" },
    });
    // One file that storage or its name keeps from changing does not keep the others.
    if (!result.ok) refused.push(path);
  }
  return refused;
}

/**
 * The ledger goes first: an entry finds its version by the hash of the text that the version will have,
 * which only the old text tells.
 */
async function forgetInVersions(
  { store, ledger, ledgerStore }: ForgetPorts,
  hashes: ReadonlySet<string>,
  progress: { readonly state: State; save(): void },
): Promise<void> {
  const { state } = progress;
  const paths = new Set([...(await store.versionedPaths()), ...(await ledgerStore.paths())]);
  for (const path of paths) {
    if (!path.endsWith(".md")) continue;
    const rewritten = await rewrittenVersions(store, path, hashes);
    for (const { id, removed } of rewritten) {
      state.versions = [...new Set([...state.versions, `${path}/${id}`])];
      state.hashes = [...new Set([...state.hashes, ...removed.map(lineHash)])];
    }
    if (rewritten.length > 0) progress.save();
    const texts = new Map(rewritten.map(({ old, text }) => [sha256Hex(old), sha256Hex(text)]));
    await ledger.forget(path, { hashes: new Set(state.hashes), texts });
    for (const { id, text } of rewritten) await store.rewriteVersion(path, id, text);
  }
}

async function rewrittenVersions(store: WorkspaceStore, path: string, hashes: ReadonlySet<string>) {
  const found: { id: string; old: string; text: string; removed: readonly string[] }[] = [];
  for (const { id } of await store.versions(path)) {
    const version = await store.readVersion(path, id);
    if (!version) continue;
    const { text, removed } = withoutForgotten(version.text, hashes);
    if (removed.length > 0) found.push({ id, old: version.text, text, removed });
  }
  return found;
}

function readState(text: string | null): State {
  const fresh: State = { done: false, hashes: [], removed: {}, versions: [] };
  try {
    return text === null ? fresh : (stateSchema.safeParse(JSON.parse(text)).data ?? fresh);
  } catch {
    return fresh;
  }
}

function reportOf({ removed, versions }: State): ForgottenLines {
  const byPath = Object.entries(removed).map(([path, lines]) => ({ path, lines }));
  const inOrder = byPath.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { removed: inOrder, versions: versions.length, refused: [] };
}
