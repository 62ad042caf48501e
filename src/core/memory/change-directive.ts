import type { Result } from "#contract/result.ts";
import { err, ok } from "#contract/result.ts";
import type { WorkspaceChange } from "#contract/workspace.ts";
import { foldLine, noteDay, type NotePlace } from "./note-format.ts";

/**
 * USER.md holds directives, one a line: `- Answer in German. <!-- observed: DATE | status: active -->`.
 * A changed one takes the place of the old one, so that the file never says both.
 */
export interface NewDirective {
  readonly text: string;
  /** Words of the directive it takes the place of. */
  readonly replaces?: string | undefined;
}

const LENGTH = 400;
const HEADING = "## Directives";

/** Null: it stands there already. The error is for the model. */
export function changeDirective(
  file: string,
  { text, replaces }: NewDirective,
  day: NotePlace,
): Result<WorkspaceChange | null, string> {
  const said = foldLine(text, LENGTH);
  if (said === "") return err("There are no words in it.");
  const line = `- ${said} <!-- observed: ${noteDay(day)} | status: active -->`;
  const present = directivesIn(file);
  if (present.some((each) => isActive(each) && sameWords(each, said))) return ok(null);
  if (replaces === undefined || replaces.trim() === "") return ok(added(file, line));
  const old = present.filter((each) => bare(each).includes(bare(replaces)));
  const [only] = old;
  if (only === undefined)
    return err(`USER.md has no line that says "${replaces}". ${listed(present)}`);
  if (old.length > 1)
    return err(`Several lines of USER.md say that; give more of one. ${listed(old)}`);
  return ok({ type: "replace", oldText: only, newText: line, all: false });
}

function directivesIn(file: string): string[] {
  return file.split(/\r?\n/).filter((line) => /^\s*[-*] +\S.*[^:\s]\s*$/.test(line));
}

function isActive(line: string): boolean {
  return !/status:\s*superseded/i.test(line);
}

function withoutNotes(line: string): string {
  return line.replace(/<!--[^]*?(?:-->|$)/g, "").replace(/^\s*[-*] +/, "");
}

function sameWords(line: string, text: string): boolean {
  return bare(line) === bare(text);
}

/** Letters and digits only. */
function bare(text: string): string {
  return withoutNotes(text)
    .replace(/[^\p{L}\p{N}]+/gu, "")
    .toLowerCase();
}

function listed(lines: readonly string[]): string {
  if (lines.length === 0) return "It has no directives yet: leave out what it replaces.";
  return `It says:\n${lines
    .slice(0, 20)
    .map(withoutNotes)
    .map((line) => `- ${line.trim()}`)
    .join("\n")}`;
}

/** Under the heading for directives where there is one with something behind it, else at the end. */
function added(file: string, line: string): WorkspaceChange {
  const lines = file.split(/\r?\n/);
  const at = lines.indexOf(HEADING);
  const hasMore = at >= 0 && lines.slice(at + 1).some((each) => each.startsWith("#"));
  const isOnly = lines.filter((each) => each.includes(HEADING)).length === 1;
  if (!hasMore || !isOnly) return { type: "append", text: line };
  return { type: "replace", oldText: HEADING, newText: `${HEADING}\n${line}`, all: false };
}
