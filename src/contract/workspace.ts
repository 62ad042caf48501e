import type { LineOrigin, QuotedLine } from "./provenance.ts";

/**
 * The agent's Markdown files. Truth is R2, AgentDO is the only writer. Paths are relative, `/`
 * separated, already free of tricks when they reach an implementation (see kit/workspace-path.ts).
 */
export interface Workspace {
  /** Null when there is no such file. */
  read(path: string): Promise<WorkspaceFile | null>;
  /** Names under a folder ("" = top), folders with a trailing slash, sorted. */
  list(folder: string): Promise<WorkspaceEntry[]>;
  /** Lines that match, over all text files below a folder, bounded. */
  grep(query: GrepQuery): Promise<GrepResult>;
  /** Applies one change exactly once under its operation id. */
  apply(operation: WorkspaceOperation): Promise<WorkspaceResult>;
}

export interface WorkspaceFile {
  readonly path: string;
  readonly text: string;
  readonly etag: string;
  /** Bytes of the whole file; `text` is its beginning only where the file is larger than the limit. */
  readonly size: number;
  /** Something in it was written while outside content was in the model's window. */
  readonly untrusted?: boolean;
}

/** Bytes (UTF-8) of the largest text file the workspace takes. */
export const MAX_FILE_BYTES = 1_048_576;

export interface WorkspaceEntry {
  readonly name: string;
  readonly size: number;
  /** Only writes with outside content in the model's window have made this name: it may say anything. */
  readonly untrusted?: boolean;
}

export interface GrepQuery {
  /** A regular expression in RE2 syntax. */
  readonly pattern: string;
  readonly folder: string;
  readonly ignoreCase: boolean;
  readonly maxMatches: number;
}

export interface GrepMatch {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
}

export type GrepResult =
  | {
      readonly ok: true;
      readonly matches: readonly GrepMatch[];
      /** True: there is more than was looked at or returned. */
      readonly truncated: boolean;
      /** Some match lies in an untrusted file. */
      readonly untrusted?: boolean;
    }
  | { readonly ok: false; readonly reason: string };

export type WorkspaceChange =
  /** Whole file. `ifEtag` guards against a lost update; null = only if absent; omitted = always. */
  | { readonly type: "write"; readonly text: string; readonly ifEtag?: string | null }
  | { readonly type: "append"; readonly text: string }
  /** `oldText` must occur exactly once, unless `all`. */
  | {
      readonly type: "replace";
      readonly oldText: string;
      readonly newText: string;
      readonly all: boolean;
    }
  /** Takes out every line that has one of these hashes (core/memory/forgotten.ts says how they match). */
  | { readonly type: "forget"; readonly hashes: readonly string[] };

/**
 * On whose word a change is made. `turn`: a model's tool call, with the facts of its turn. `owner`: an
 * edit by hand, on the page or by the command line. `product`: code of ours that writes memory by itself.
 */
export type OperationAuthority =
  | { readonly kind: "turn"; readonly interactiveOwner: boolean; readonly tainted: boolean }
  | { readonly kind: "owner" }
  | { readonly kind: "product"; readonly purpose: ProductPurpose };

/** `note`: appends under memory/; `directive`: also USER.md; `dreaming`: also MEMORY.md and DREAMS.md. */
export type ProductPurpose = "note" | "directive" | "dreaming";

export interface WorkspaceOperation {
  readonly operationId: string;
  readonly path: string;
  readonly change: WorkspaceChange;
  /** Outside content was in the model's window: the file keeps the mark until it is written anew. */
  readonly untrusted?: boolean;
  /** Absent: nobody's, so that nothing protected can be changed by it. */
  readonly authority?: OperationAuthority;
  /** Who wrote what the change brings in. Absent: nobody can tell, so it is not to be trusted. */
  readonly author?: LineOrigin;
  /** Lines of it that are someone else's, e.g. an owner's own words beside the model's. */
  readonly quoted?: readonly QuotedLine[];
  /** Brings back a kept version, which is the text of the change: its lines are what they were there. */
  readonly restores?: true;
}

/** A version of a file that was overwritten. */
export interface KeptVersion {
  readonly id: string;
  /** When it was written, milliseconds since the epoch. */
  readonly at: number;
  readonly size: number;
}

export interface RestoreVersion {
  readonly operationId: string;
  readonly path: string;
  readonly id: string;
}

export type WorkspaceResult =
  | {
      readonly ok: true;
      readonly etag: string;
      readonly size: number;
      readonly created: boolean;
      /** Nothing was added: all of it stands there already, and counts for more than it would. */
      readonly stands?: true;
    }
  | { readonly ok: false; readonly reason: string };
