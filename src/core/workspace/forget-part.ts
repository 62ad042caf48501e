import { saysForgotten } from "#core/memory/forgotten.ts";
import type { Transcripts } from "#core/memory/transcripts.ts";
import type { ForgetLines } from "#contract/agent-rpc.ts";
import type { LedgerStore } from "#contract/ledger-store.ts";
import type { WorkspaceStore } from "#contract/workspace-store.ts";
import type { Forgetter } from "#kit/text/forget-text.ts";
import type { ForgetState } from "./forget-state.ts";
import type { Ledger } from "./ledger.ts";
import type { WorkspaceReader } from "./reader.ts";
import type { WorkspaceWriter } from "./writer.ts";

/** What forgetting in files works with, and a part of it. */
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

/** One call's part of the work. */
export interface ForgetPart {
  readonly request: ForgetLines;
  readonly state: ForgetState;
  readonly sentences: Forgetter;
  /** Calls of the storage that this part may still make, more or less. */
  calls: number;
  save(): void;
  /** Called before the lines go, so that a report is whole after a crash. */
  note(path: string, removedHashes: readonly string[]): void;
}

/** Which lines of a file go. Of a try that was cut off, those it has found are in the versions still. */
export function goneFrom(path: string, part: ForgetPart): (line: string) => boolean {
  const { request, state, sentences } = part;
  const says = saysForgotten(new Set([...request.hashes, ...state.hashes]), sentences);
  if (!isReport(path)) return says;
  // Single words of whatever was said, of these facts or not.
  return (line) => line.startsWith("Themes: ") || says(line);
}

/** What dreaming tells of its work. */
function isReport(path: string): boolean {
  return path === "DREAMS.md" || path.startsWith("memory/dreaming/");
}
