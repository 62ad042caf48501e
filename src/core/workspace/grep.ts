import { RE2JS } from "re2js";
import { err, ok, type Result } from "#contract/result.ts";
import type { GrepMatch } from "#contract/workspace.ts";

/**
 * Line search with a pattern the model wrote, in time linear in the text whatever the pattern: a
 * JavaScript regular expression may backtrack without end and cannot be interrupted, which would block
 * every conversation of the agent. The price is RE2's syntax: no back-references, no look-around.
 */
const MAX_PATTERN = 200;
/** Matches kept per file. */
const MAX_PER_FILE = 200;
const SHOWN = 300;

export type LinePattern = RE2JS;

export function compilePattern(pattern: string, ignoreCase: boolean): Result<LinePattern, string> {
  if (pattern === "") return err("The pattern is empty.");
  if (pattern.length > MAX_PATTERN) {
    return err(`The pattern is longer than ${MAX_PATTERN} characters.`);
  }
  try {
    return ok(RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0));
  } catch {
    return err("The pattern is not valid (RE2 syntax: no back-references, no look-around).");
  }
}

/** The lines that match, at most 200, each cut to 300 characters around the start of the match. */
export function grepText(path: string, text: string, pattern: LinePattern): GrepMatch[] {
  const matches: GrepMatch[] = [];
  for (const [index, whole] of text.split("\n").entries()) {
    const line = whole.replace(/\r$/, "");
    const matcher = pattern.matcher(line);
    if (!matcher.find()) continue;
    const start = line.length <= SHOWN ? 0 : Math.max(0, matcher.start() - SHOWN / 3);
    matches.push({ path, line: index + 1, text: line.slice(start, start + SHOWN).toWellFormed() });
    if (matches.length >= MAX_PER_FILE) break;
  }
  return matches;
}
