import type { Bootstrap } from "#contract/agent-port.ts";
import type { Log, Now } from "#contract/ports.ts";
import type { StoredEntry, WorkspaceStore } from "#contract/workspace-store.ts";
import { sha256Hex } from "#kit/sha256.ts";
import { memoryPlace } from "#core/memory/memory-path.ts";
import { bootstrapFiles } from "#kit/bootstrap-files.ts";
import { errorText } from "#kit/error-text.ts";
import { classifyFile } from "./classify.ts";
import { viewCurated, type CuratedView } from "./curated.ts";
import { defaultFiles } from "./default-files.ts";
import type { Ledger } from "./ledger.ts";
import type { PutFile } from "./writer.ts";

/**
 * The workspace files that go into every prompt, held in memory and kept fresh by etag. One listing at
 * most every 30 seconds notices edits from outside; own writes are told at once. The default files are
 * made once in the life of an agent and never again, so that a deleted one stays deleted. Never fails:
 * without storage a turn runs on what is known, because a duller assistant is better than a mute one.
 */
export interface BootstrapPorts {
  readonly store: WorkspaceStore;
  readonly ledger: Ledger;
  readonly now: Now;
  readonly report: Log;
  /** Remembers for good that the default files were made. */
  readonly seeded: { get(): boolean; set(): void };
}

export interface BootstrapCache {
  /** Null as long as storage has never answered. */
  current(): Promise<Bootstrap | null>;
  /** A file as it has just been put. */
  note(file: PutFile): void;
  /** The class of its lines has changed: it is looked at again with the next step. */
  forget(path: string): void;
}

interface BootstrapFile {
  readonly path: string;
  readonly etag: string;
  /** Of a curated file only what may be shown of it. */
  readonly view: CuratedView;
}

const bootstrapPaths: readonly string[] = bootstrapFiles.map(({ path }) => path);

const LIST_INTERVAL_MS = 30_000;

export function createBootstrapCache(ports: BootstrapPorts): BootstrapCache {
  const { store } = ports;
  const files = new Map<string, BootstrapFile>();
  let listedAt = Number.NEGATIVE_INFINITY;
  let refreshing: Promise<void> | undefined;
  /** Of the files as they are now. */
  let built: Bootstrap | undefined;

  function note(file: PutFile): void {
    if (!bootstrapPaths.includes(file.path)) return;
    files.set(file.path, { ...file, view: putView(file) });
    built = undefined;
  }

  async function refresh(): Promise<void> {
    try {
      const before = new Map(files);
      const entries = await store.list("");
      await seed(ports, entries, note);
      await Promise.all(bootstrapPaths.map((path) => sync(path, entries, before)));
      listedAt = ports.now();
    } catch (error) {
      ports.report.error("bootstrap.refresh_failed", { error: errorText(error) });
    }
  }

  async function sync(
    path: string,
    entries: readonly StoredEntry[],
    before: ReadonlyMap<string, BootstrapFile>,
  ): Promise<void> {
    const etag = entries.find((entry) => entry.name === path)?.etag;
    const known = before.get(path);
    if (known?.etag === etag) return;
    const file = etag === undefined ? null : await look(ports, path);
    // What cannot be read of it now is read the next time.
    if (file === "unknown") return;
    // Our own write may have come between: it knows better than an older listing.
    if (files.get(path) !== known) return;
    if (file) files.set(path, file);
    else files.delete(path);
    built = undefined;
  }

  return {
    async current() {
      const age = ports.now() - listedAt;
      // Listed in the future: before the clock was set back.
      if (age >= LIST_INTERVAL_MS || age < 0) {
        refreshing ??= refresh().finally(() => (refreshing = undefined));
        await refreshing;
      }
      if (listedAt === Number.NEGATIVE_INFINITY) return null;
      built ??= build(bootstrapPaths.flatMap((path) => files.get(path) ?? []));
      return built;
    },
    note,
    forget(path) {
      files.delete(path);
      built = undefined;
      listedAt = Math.min(listedAt, ports.now() - LIST_INTERVAL_MS);
    },
  };
}

async function look(
  { store, ledger, report }: BootstrapPorts,
  path: string,
): Promise<BootstrapFile | null | "unknown"> {
  const file = await store.get(path);
  if (!file) return null;
  if (memoryPlace(path) === null) return { ...file, view: whole(file.text) };
  try {
    return { ...file, view: viewCurated(classifyFile(file, await ledger.about(file))) };
  } catch (error) {
    report.error("bootstrap.ledger_failed", { path, error: errorText(error) });
    return "unknown";
  }
}

/** The version is of what is shown: a change of anything else leaves a caller with what it has. */
function build(known: readonly BootstrapFile[]): Bootstrap {
  const files = known.map(({ path, view: { text, leftOut } }) => ({
    path,
    text,
    ...(leftOut > 0 ? { leftOut } : {}),
  }));
  const curated = known.flatMap(({ view }) => view.entries);
  return { version: sha256Hex(JSON.stringify({ files, curated })), files, curated };
}

function whole(text: string): CuratedView {
  return { text, leftOut: 0, entries: [] };
}

function putView({ entry, ...file }: PutFile): CuratedView {
  if (!entry) return memoryPlace(file.path) === null ? whole(file.text) : whole("");
  const stored = { ...file, modifiedAt: 0, size: 0, editable: true, untrusted: false };
  return viewCurated(classifyFile({ ...stored, operations: [] }, { kind: "described", entry }));
}

/** What a turn runs on before storage has ever answered. */
export const nothingKnown: Bootstrap = { version: "none", files: [] };

/** What a step gets: nothing new if it has this version already, or if nothing can be read. */
export function bootstrapGrant(
  current: Bootstrap | null,
  known: string | undefined,
): Bootstrap | null {
  if (current) return current.version === known ? null : current;
  return known === undefined ? nothingKnown : null;
}

async function seed(
  { store, seeded }: BootstrapPorts,
  entries: readonly StoredEntry[],
  note: (file: PutFile) => void,
): Promise<void> {
  if (seeded.get()) return;
  await makeDefaultFiles(store, entries, note);
  seeded.set();
}

/** What is there is left alone, so repeating it after a crash is harmless. */
async function makeDefaultFiles(
  store: WorkspaceStore,
  entries: readonly StoredEntry[],
  note: (file: PutFile) => void,
): Promise<void> {
  const missing = defaultFiles.filter(({ path }) => !entries.some(({ name }) => name === path));
  const plain = { untrusted: false, operations: [], expected: null };
  await Promise.all(
    missing.map(async ({ path, text }) => {
      const stored = await store.put({ path, text, ...plain });
      // Curated ones hold nothing yet but the product's own text, of which nothing is shown.
      if (stored) note({ path, text, etag: stored.etag });
    }),
  );
}
