import { err, ok, type Result } from "#contract/result.ts";
import type { GrepMatch } from "#contract/workspace.ts";

/**
 * Line search with a pattern the model wrote. A regular expression cannot be interrupted, and one that
 * backtracks without end would block every conversation of the agent; so patterns that can are refused
 * by their shape, and lines are cut. Conservative on purpose: some harmless patterns are refused, with
 * a text that says how to write them.
 */
const MAX_PATTERN = 200;
const MAX_LINE = 1_000;
const MAX_REPETITIONS = 4;
const MAX_CHOICES = 12;
/** Matches kept per file. */
const MAX_PER_FILE = 200;
const SHOWN = 300;

export function compilePattern(pattern: string, ignoreCase: boolean): Result<RegExp, string> {
  if (pattern === "") return err("The pattern is empty.");
  if (pattern.length > MAX_PATTERN)
    return err(`The pattern is longer than ${MAX_PATTERN} characters.`);
  const danger = backtracking(pattern);
  if (danger) return err(`The pattern is refused because it ${danger}. Use a simpler one.`);
  try {
    return ok(new RegExp(pattern, ignoreCase ? "iu" : "u"));
  } catch {
    // Not valid in Unicode mode, as many casual patterns are; the plain mode forgives more.
  }
  try {
    return ok(new RegExp(pattern, ignoreCase ? "i" : ""));
  } catch (error) {
    return err(error instanceof Error ? error.message : "The pattern is not valid.");
  }
}

/** The lines that match, at most 200, each cut to 300 characters around the start of the match. */
export function grepText(path: string, text: string, pattern: RegExp): GrepMatch[] {
  const matches: GrepMatch[] = [];
  for (const [index, whole] of text.split("\n").entries()) {
    const line = whole.replace(/\r$/, "").slice(0, MAX_LINE);
    const at = line.search(pattern);
    if (at < 0) continue;
    const start = line.length <= SHOWN ? 0 : Math.max(0, at - SHOWN / 3);
    matches.push({ path, line: index + 1, text: line.slice(start, start + SHOWN).toWellFormed() });
    if (matches.length >= MAX_PER_FILE) break;
  }
  return matches;
}

/** Why a pattern could take exponential or high polynomial time; undefined if it cannot. */
function backtracking(pattern: string): string | undefined {
  const bare = pattern
    .replace(/\\[^1-9k]/g, "x")
    .replace(/\[\^?\]?[^\]]*\]/g, "x")
    .replace(/\((\?(?:[:=!]|<[=!]|<\w+>))/g, "(");
  if (/\\[1-9k]/.test(bare)) return "refers back to a group";
  if (count(bare, /[*+]|\{\d/g) > MAX_REPETITIONS) {
    return `has more than ${MAX_REPETITIONS} repetitions`;
  }
  if (count(bare, /[?|]/g) > MAX_CHOICES) return `has more than ${MAX_CHOICES} choices`;
  return repeatedGroups(bare).some((group) => /[*+?|{]/.test(group))
    ? "repeats a group that itself repeats or has alternatives"
    : undefined;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** The insides of all groups that are followed by a repetition. */
function repeatedGroups(bare: string): string[] {
  const opened: number[] = [];
  const found: string[] = [];
  for (let index = 0; index < bare.length; index += 1) {
    if (bare[index] === "(") opened.push(index);
    if (bare[index] !== ")") continue;
    const start = opened.pop();
    if (start !== undefined && /^(?:[*+]|\{\d)/.test(bare.slice(index + 1))) {
      found.push(bare.slice(start + 1, index));
    }
  }
  return found;
}
