import { err, ok, type Result } from "#contract/result.ts";
import { isForgotten, withoutForgotten } from "#core/memory/forgotten.ts";
import { MAX_FILE_BYTES, type WorkspaceChange } from "#contract/workspace.ts";

/**
 * A change to a text file, text in and text out. Pure and deterministic, so that the same logged
 * operation can be applied again to a newer text. Errors are written for the model.
 */
export interface FileText {
  readonly text: string;
  /** Null = a version that exists only in the log, which no guard can know. */
  readonly etag: string | null;
}

/** `current` is null when there is no file. */
export function applyChange(
  current: FileText | null,
  change: WorkspaceChange,
): Result<string, string> {
  const next = changedText(current, change);
  if (!next.ok) return next;
  const size = byteLength(next.value);
  return size <= MAX_FILE_BYTES ? next : err(tooLarge(size));
}

function tooLarge(size: number): string {
  return `The file would have ${size} bytes; ${MAX_FILE_BYTES} is the most. Use several files.`;
}

/**
 * Whether a text looks as if the change had been made to it. Only for the rare case in which that
 * cannot be known: our put may have arrived, and somebody else has written since.
 */
export function looksApplied(text: string, change: WorkspaceChange): boolean {
  switch (change.type) {
    case "write":
      return text === change.text;
    case "append":
      return change.text.trim() !== "" && text.includes(change.text.trim());
    case "replace":
      return (
        change.newText !== "" && text.includes(change.newText) && !text.includes(change.oldText)
      );
    case "forget": {
      const hashes = new Set(change.hashes);
      return !text.split("\n").some((line) => line.trim() !== "" && isForgotten(line, hashes));
    }
  }
}

/** Bytes of a text in UTF-8. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}

function changedText(current: FileText | null, change: WorkspaceChange): Result<string, string> {
  switch (change.type) {
    case "write":
      return written(current, change);
    case "append":
      return ok(appended(current?.text ?? "", change.text));
    case "replace":
      return current ? replaced(current.text, change) : err(NO_FILE);
    case "forget":
      if (!current) return err(NO_FILE);
      return ok(forgetting(current.text, new Set(change.hashes)));
  }
}

function forgetting(text: string, hashes: ReadonlySet<string>): string {
  return withoutForgotten(text, (line) => isForgotten(line, hashes)).text;
}

const NO_FILE = "There is no such file.";

function written(
  current: FileText | null,
  change: Extract<WorkspaceChange, { type: "write" }>,
): Result<string, string> {
  if (change.ifEtag === undefined) return ok(change.text);
  if (change.ifEtag === (current?.etag ?? null) && (change.ifEtag !== null || !current)) {
    return ok(change.text);
  }
  return err(change.ifEtag === null ? "The file exists already." : CHANGED_MEANWHILE);
}

export const CHANGED_MEANWHILE =
  "The file has been changed by someone else meanwhile, so it was not overwritten. Read it again and repeat the change on the new text.";

/** An appended text begins on a line of its own and ends its last line. */
function appended(base: string, text: string): string {
  if (text === "") return base;
  const start = base === "" || base.endsWith("\n") ? base : `${base}\n`;
  return start + (text.endsWith("\n") ? text : `${text}\n`);
}

function replaced(
  text: string,
  change: Extract<WorkspaceChange, { type: "replace" }>,
): Result<string, string> {
  if (change.oldText === "") return err("The old text is empty.");
  const { oldText, newText } = inLineEndingsOf(text, change);
  const found = occurrences(text, oldText);
  if (found === 0) {
    return err("The old text is not in the file. Read the file and copy it exactly.");
  }
  if (found > 1 && !change.all) {
    return err(
      `The old text is in the file ${found} times. Give more of what surrounds it, or replace all.`,
    );
  }
  // Before anything is built: a text of one letter may grow a thousandfold, past all memory there is.
  const size = byteLength(text) + found * (byteLength(newText) - byteLength(oldText));
  if (size > MAX_FILE_BYTES) return err(tooLarge(size));
  return ok(text.split(oldText).join(newText));
}

function occurrences(text: string, part: string): number {
  let found = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found += 1;
  return found;
}

/** A model writes \n; a file edited on Windows has \r\n. */
function inLineEndingsOf(text: string, change: { oldText: string; newText: string }) {
  const windows = text.includes("\r\n") && !change.oldText.includes("\r");
  if (!windows || text.includes(change.oldText)) return change;
  const convert = (part: string) => part.replace(/\r?\n/g, "\r\n");
  return { oldText: convert(change.oldText), newText: convert(change.newText) };
}
