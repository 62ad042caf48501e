import type { Bootstrap } from "#contract/agent-port.ts";
import type { Log, Now } from "#contract/ports.ts";
import type { StoredEntry, WorkspaceStore } from "#contract/workspace-store.ts";
import { sha256Hex } from "#core/routing/sha256.ts";
import { bootstrapFiles } from "#kit/bootstrap-files.ts";
import { errorText } from "#kit/error-text.ts";
import { defaultFiles } from "./default-files.ts";

/**
 * The workspace files that go into every prompt, held in memory and kept fresh by etag. One listing at
 * most every 30 seconds notices edits from outside; own writes are told at once. The default files are
 * made once in the life of an agent and never again, so that a deleted one stays deleted. Never fails:
 * without storage a turn runs on what is known, because a duller assistant is better than a mute one.
 */
export interface BootstrapPorts {
  readonly store: WorkspaceStore;
  readonly now: Now;
  readonly report: Log;
  /** Remembers for good that the default files were made. */
  readonly seeded: { get(): boolean; set(): void };
}

export interface BootstrapCache {
  /** Null as long as storage has never answered. */
  current(): Promise<Bootstrap | null>;
  note(file: BootstrapFile): void;
}

export interface BootstrapFile {
  readonly path: string;
  readonly text: string;
  readonly etag: string;
}

const bootstrapPaths: readonly string[] = bootstrapFiles.map(({ path }) => path);

const LIST_INTERVAL_MS = 30_000;

export function createBootstrapCache(ports: BootstrapPorts): BootstrapCache {
  const { store } = ports;
  const files = new Map<string, BootstrapFile>();
  let listedAt = Number.NEGATIVE_INFINITY;
  let refreshing: Promise<void> | undefined;
  let built: { readonly stamp: string; readonly bootstrap: Bootstrap } | undefined;

  function note(file: BootstrapFile): void {
    if (bootstrapPaths.includes(file.path)) files.set(file.path, file);
  }

  async function refresh(): Promise<void> {
    try {
      const before = new Map(files);
      const entries = await store.list("");
      if (!ports.seeded.get()) {
        await makeDefaultFiles(store, entries, note);
        ports.seeded.set();
      }
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
    const file = etag === undefined ? null : await store.get(path);
    // Our own write may have come between; it knows better than an older listing.
    if (files.get(path) !== known) return;
    if (file) files.set(path, file);
    else files.delete(path);
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
      const known = bootstrapPaths.flatMap((path) => files.get(path) ?? []);
      const stamp = known.map(({ path, etag }) => `${path}:${etag}`).join("\n");
      if (built?.stamp !== stamp) {
        const contents = known.map(({ path, text }) => ({ path, text }));
        built = { stamp, bootstrap: { version: sha256Hex(stamp), files: contents } };
      }
      return built.bootstrap;
    },
    note,
  };
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

/** What is there is left alone, so repeating it after a crash is harmless. */
async function makeDefaultFiles(
  store: WorkspaceStore,
  entries: readonly StoredEntry[],
  note: (file: BootstrapFile) => void,
): Promise<void> {
  const missing = defaultFiles.filter(({ path }) => !entries.some(({ name }) => name === path));
  const plain = { untrusted: false, operations: [], expected: null };
  await Promise.all(
    missing.map(async ({ path, text }) => {
      const stored = await store.put({ path, text, ...plain });
      if (stored) note({ path, text, etag: stored.etag });
    }),
  );
}
