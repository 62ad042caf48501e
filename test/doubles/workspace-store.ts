import type { WorkspaceOperation, WorkspaceResult } from "#contract/workspace.ts";
import type {
  LoggedOperation,
  NewFile,
  OperationLog,
  Origins,
  PlannedOperation,
  SettledOperation,
  StoredFile,
  WalkedFiles,
  WorkspaceStore,
} from "#contract/workspace-store.ts";

/**
 * A workspace's storage in memory with R2's rules: conditional puts, etags by content, one write per
 * second and key (more is an error). `gate` is awaited before and after each effect; one that never
 * resolves is a crash at that place, one that throws is a failed request.
 */
export type StorePhase = "get" | "put" | "put done" | "keep";

export class MemoryWorkspaceStore implements WorkspaceStore {
  readonly files = new Map<string, StoredFile>();
  readonly kept: { path: string; id: string; at: number; text: string; untrusted: boolean }[] = [];
  readonly putCount = new Map<string, number>();
  lists = 0;
  /** Of a page at a time. */
  listed = 1_000;
  tooManyToTell = false;
  gate: (phase: StorePhase, path: string) => void | Promise<void> = () => {};
  readonly #now: () => number;
  readonly #lastPut = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** What somebody does by other means than ours: no condition, no metadata, no rate. */
  editOutside(path: string, text: string): void {
    this.#store({ path, text, untrusted: false, operations: [], expected: null });
  }

  /** The store's own clock was not set back with ours. */
  forgetRates(): void {
    this.#lastPut.clear();
  }

  text(path: string): string | undefined {
    return this.files.get(path)?.text;
  }

  async get(path: string): Promise<StoredFile | null> {
    await this.gate("get", path);
    return this.files.get(path) ?? null;
  }

  async put(file: NewFile): Promise<{ etag: string } | null> {
    await this.gate("put", file.path);
    const elapsed = this.#now() - (this.#lastPut.get(file.path) ?? Number.NEGATIVE_INFINITY);
    if (elapsed < 1000) throw new Error("put: (10058) 429 too many writes to this key");
    if ((this.files.get(file.path)?.etag ?? null) !== file.expected) return null;
    this.#lastPut.set(file.path, this.#now());
    this.putCount.set(file.path, (this.putCount.get(file.path) ?? 0) + 1);
    const { etag } = this.#store(file);
    await this.gate("put done", file.path);
    return { etag };
  }

  async list(folder: string) {
    this.lists += 1;
    const prefix = folder === "" ? "" : `${folder}/`;
    const names = new Map<string, { name: string; size: number; etag?: string }>();
    for (const file of this.files.values()) {
      if (!file.path.startsWith(prefix)) continue;
      const [first = "", ...rest] = file.path.slice(prefix.length).split("/");
      const entry =
        rest.length > 0
          ? { name: `${first}/`, size: 0 }
          : { name: first, size: file.size, etag: file.etag };
      names.set(entry.name, entry);
    }
    return [...names.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async origins(folder: string): Promise<Origins> {
    const prefix = folder === "" ? "" : `${folder}/`;
    const files = [...this.files.values()].filter((file) => file.path.startsWith(prefix));
    return { files, truncated: this.tooManyToTell };
  }

  async walk(folder: string, limit: number): Promise<WalkedFiles> {
    const prefix = folder === "" ? "" : `${folder}/`;
    const all = [...this.files.values()].filter((file) => file.path.startsWith(prefix));
    return { files: all.slice(0, limit), truncated: all.length > limit };
  }

  async etag(path: string): Promise<string | null> {
    return this.files.get(path)?.etag ?? null;
  }

  async page(folder: string, after: string | null) {
    const prefix = folder === "" ? "" : `${folder}/`;
    const left = [...this.files.values()]
      .map(({ path, etag }) => ({ path, etag }))
      .filter(({ path }) => path.startsWith(prefix) && (after === null || path > after))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
    return { files: left.slice(0, this.listed), more: left.length > this.listed };
  }

  async keepVersion(file: StoredFile): Promise<void> {
    await this.gate("keep", file.path);
    const id = `${String(file.modifiedAt).padStart(15, "0")}-${file.etag}`;
    const known = this.kept.find((version) => version.path === file.path && version.id === id);
    const { path, modifiedAt: at, text, untrusted } = file;
    if (!known) this.kept.push({ path, id, at, text, untrusted });
  }

  async pruneVersions(): Promise<void> {}

  async versions(path: string) {
    const own = this.kept.filter((version) => version.path === path).toReversed();
    return own.map(({ id, at, text }) => ({ id, at, size: text.length }));
  }

  async readVersion(path: string, id: string) {
    return this.kept.find((each) => each.path === path && each.id === id) ?? null;
  }

  async versionedPaths(after: string | null) {
    return pathPage(
      this.kept.map(({ path }) => path),
      after,
    );
  }

  async rewriteVersion(path: string, id: string, text: string): Promise<void> {
    await this.gate("keep", path);
    const version = this.kept.find((each) => each.path === path && each.id === id);
    if (version) version.text = text;
  }

  #store({ path, text, untrusted, operations, textHash }: NewFile): StoredFile {
    const size = new TextEncoder().encode(text).byteLength;
    const etag = `etag-${hash(text)}`;
    const modifiedAt = this.#now();
    const marks = { untrusted, operations, ...(textHash === undefined ? {} : { textHash }) };
    const stored = { path, text, etag, size, modifiedAt, editable: true, ...marks };
    this.files.set(path, stored);
    return stored;
  }
}

/** The log in memory. It outlives the writer, as SQLite outlives an instance of its object. */
export class MemoryOperationLog implements OperationLog {
  readonly #rows = new Map<string, LoggedOperation & { putAt?: number }>();
  readonly #now: () => number;

  constructor(now: () => number = () => 0) {
    this.#now = now;
  }

  record(operation: WorkspaceOperation): LoggedOperation {
    const known = this.#rows.get(operation.operationId);
    if (known) return known;
    const row = { operation, loggedAt: this.#now(), attempt: null, result: null };
    this.#rows.set(operation.operationId, row);
    return row;
  }

  get(operationId: string): LoggedOperation | null {
    return this.#rows.get(operationId) ?? null;
  }

  pending(path: string, limit: number): LoggedOperation[] {
    const open = [...this.#rows.values()].filter((row) => row.result === null);
    return open.filter((row) => row.operation.path === path).slice(0, limit);
  }

  pendingPaths(): string[] {
    const open = [...this.#rows.values()].filter((row) => row.result === null);
    return [...new Set(open.map((row) => row.operation.path))];
  }

  lastPutAt(path: string): number {
    const rows = [...this.#rows.values()].filter((row) => row.operation.path === path);
    return Math.max(0, ...rows.map((row) => row.putAt ?? 0));
  }

  start(operations: readonly PlannedOperation[], base: string | null): void {
    for (const { operationId, size, created } of operations) {
      this.#change(operationId, { attempt: { base, planned: { size, created } } });
    }
  }

  retract(operationIds: readonly string[]): void {
    for (const id of operationIds) this.#change(id, { attempt: null });
  }

  settle(results: readonly SettledOperation[]): void {
    for (const { operationId, result, putAt } of results) {
      this.#change(operationId, { result, ...(putAt === undefined ? {} : { putAt }) });
    }
  }

  results(): (WorkspaceResult | null)[] {
    return [...this.#rows.values()].map((row) => row.result);
  }

  #change(id: string, change: Partial<LoggedOperation> & { putAt?: number }): void {
    const row = this.#rows.get(id);
    if (!row) throw new Error(`no operation ${id}`);
    this.#rows.set(id, { ...row, ...change });
  }
}

/** Few at a time, as storage lists no more than so many either. */
export function pathPage(paths: readonly string[], after: string | null) {
  const left = [...new Set(paths)]
    .filter((path) => after === null || `${path}/` > `${after}/`)
    .toSorted((a, b) => (`${a}/` < `${b}/` ? -1 : 1));
  return { paths: left.slice(0, 40), more: left.length > 40 };
}

function hash(text: string): string {
  let value = 7;
  for (const character of text) value = (value * 31 + (character.codePointAt(0) ?? 0)) % 2 ** 40;
  return `${value}-${text.length}`;
}
