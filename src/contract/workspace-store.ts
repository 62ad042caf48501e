import type {
  KeptVersion,
  WorkspaceEntry,
  WorkspaceOperation,
  WorkspaceResult,
} from "./workspace.ts";

/**
 * What the one writer of a workspace needs: a place for files with compare-and-swap (R2), and a log
 * that survives a crash between deciding a change and making it (SQLite of AgentDO).
 */
export interface WorkspaceStore {
  get(path: string): Promise<StoredFile | null>;
  /** Null when the file is no longer what `expected` says: the change must be thought over again. */
  put(file: NewFile): Promise<{ readonly etag: string } | null>;
  /** Files and folders (with a trailing slash) directly below a folder ("" = top), sorted. */
  list(folder: string): Promise<StoredEntry[]>;
  /** Who wrote the files anywhere below a folder; `truncated` = there are more than can be looked at. */
  origins(folder: string): Promise<Origins>;
  /** The newest files anywhere below a folder, at most `limit`, sorted by path. */
  walk(folder: string, limit: number): Promise<WalkedFiles>;
  /** The version of a file; null = there is none. */
  etag(path: string): Promise<string | null>;
  /** Some of the files anywhere below a folder: those behind a path, in the order of the storage. */
  page(folder: string, after: string | null): Promise<FilePage>;
  /** Keeps what is about to be overwritten. Idempotent per version. */
  keepVersion(file: StoredFile): Promise<void>;
  /** Removes the oldest kept versions beyond the bound. */
  pruneVersions(path: string): Promise<void>;
  /** Kept versions of a file, newest first. */
  versions(path: string): Promise<KeptVersion[]>;
  /** The text of a kept version; null = it is not there. */
  readVersion(path: string, id: string): Promise<KeptText | null>;
  /** Some of the paths that kept versions exist of, also of files that are gone. */
  versionedPaths(after: string | null): Promise<PathPage>;
  /** Puts another text in the place of a kept version. */
  rewriteVersion(path: string, id: string, text: string): Promise<void>;
}

/** Paths after another one, in the order of their folders; `more`: not all of them. */
export interface PathPage {
  readonly paths: readonly string[];
  readonly more: boolean;
}

export interface FilePage {
  readonly files: readonly { readonly path: string; readonly etag: string }[];
  /** There are others behind the last one. */
  readonly more: boolean;
}

export interface StoredFile {
  readonly path: string;
  /** The text; of a file larger than the limit its beginning. */
  readonly text: string;
  readonly etag: string;
  readonly size: number;
  readonly modifiedAt: number;
  /** False: not UTF-8, or too large, so that changing the text would destroy something. */
  readonly editable: boolean;
  readonly untrusted: boolean;
  /** Ids of the operations that went into this version. */
  readonly operations: readonly string[];
  /** Hash of the text its writer put; absent where no ledger was kept, or somebody else has written. */
  readonly textHash?: string;
}

export interface KeptText {
  readonly text: string;
  readonly untrusted: boolean;
}

export interface NewFile {
  readonly path: string;
  readonly text: string;
  readonly untrusted: boolean;
  readonly operations: readonly string[];
  readonly textHash?: string;
  /** Etag of the version to replace; null = there must be none. */
  readonly expected: string | null;
}

export interface StoredEntry extends WorkspaceEntry {
  /** Absent for a folder. */
  readonly etag?: string;
}

export interface Origins {
  readonly files: readonly { readonly path: string; readonly untrusted: boolean }[];
  readonly truncated: boolean;
}

export interface WalkedFiles {
  readonly files: readonly { readonly path: string; readonly size: number }[];
  readonly truncated: boolean;
}

/** Synchronous: what happens between two awaits commits as one. */
export interface OperationLog {
  /** Writes the operation down, or returns what is known of its id already. */
  record(operation: WorkspaceOperation): LoggedOperation;
  get(operationId: string): LoggedOperation | null;
  /** Operations without a result, in order. */
  pending(path: string, limit: number): LoggedOperation[];
  pendingPaths(): string[];
  /** When the file was last put, milliseconds since the epoch; 0 = not lately. */
  lastPutAt(path: string): number;
  /** A put of these is about to be sent, on top of the version `base`. */
  start(operations: readonly PlannedOperation[], base: string | null): void;
  /** The put certainly did not happen. */
  retract(operationIds: readonly string[]): void;
  settle(results: readonly SettledOperation[]): void;
}

export interface LoggedOperation {
  readonly operation: WorkspaceOperation;
  /** When it was written down, milliseconds since the epoch. */
  readonly loggedAt: number;
  /** Set once a put was sent: whether it arrived is known only from the file. */
  readonly attempt: { readonly base: string | null; readonly planned: PlannedResult } | null;
  readonly result: WorkspaceResult | null;
}

export interface PlannedResult {
  readonly size: number;
  readonly created: boolean;
}

export interface PlannedOperation extends PlannedResult {
  readonly operationId: string;
  /** Nothing had to be added. */
  readonly stands?: true;
}

export interface SettledOperation {
  readonly operationId: string;
  readonly result: WorkspaceResult;
  /** When a put made it so; absent = no put was needed or it failed. */
  readonly putAt?: number;
}
