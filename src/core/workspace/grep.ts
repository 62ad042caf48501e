import { err, ok, type Result } from "#contract/result.ts";
import type { GrepMatch } from "#contract/workspace.ts";

/**
 * Line search with a pattern the model wrote. A regular expression cannot be interrupted, and one that
 * backtracks without end would block every conversation of the agent; so patterns that can are refused
 * by their shape, and lines are cut. Conservative on purpose: some harmless patterns are refused, with
 * a text that says how to write them.
 */
const MAX_PATTERN = 200;
const MAX_REPETITIONS = 3;
/** Characters of a line that are looked at, by the number of repetitions: n of them cost length^(n+1). */
const LINE_LIMITS = [4_000, 4_000, 500, 200];
const MAX_CHOICES = 12;
/** Matches kept per file. */
const MAX_PER_FILE = 200;
const SHOWN = 300;

export interface LinePattern {
  readonly expression: RegExp;
  /** Characters of a line that are looked at. */
  readonly lineLimit: number;
}

export function compilePattern(pattern: string, ignoreCase: boolean): Result<LinePattern, string> {
  if (pattern === "") return err("The pattern is empty.");
  if (pattern.length > MAX_PATTERN)
    return err(`The pattern is longer than ${MAX_PATTERN} characters.`);
  const bare = bareForm(pattern);
  const danger = backtracking(bare);
  if (danger) return err(`The pattern is refused because it ${danger}. Use a simpler one.`);
  const lineLimit = LINE_LIMITS[count(bare, repetition)] ?? 0;
  const flags = ignoreCase ? "i" : "";
  // Casual patterns are often not valid in Unicode mode; the plain mode forgives more.
  const expression = regExp(pattern, `${flags}u`) ?? regExp(pattern, flags);
  return expression ? ok({ expression, lineLimit }) : err("The pattern is not valid.");
}

/** The lines that match, at most 200, each cut to 300 characters around the start of the match. */
export function grepText(path: string, text: string, pattern: LinePattern): GrepMatch[] {
  const matches: GrepMatch[] = [];
  for (const [index, whole] of text.split("\n").entries()) {
    const line = whole.replace(/\r$/, "").slice(0, pattern.lineLimit);
    const at = line.search(pattern.expression);
    if (at < 0) continue;
    const start = line.length <= SHOWN ? 0 : Math.max(0, at - SHOWN / 3);
    matches.push({ path, line: index + 1, text: line.slice(start, start + SHOWN).toWellFormed() });
    if (matches.length >= MAX_PER_FILE) break;
  }
  return matches;
}

function regExp(pattern: string, flags: string): RegExp | null {
  try {
    return new RegExp(pattern, flags);
  } catch {
    return null;
  }
}

const repetition = /[*+]|\{\d/g;

/** The skeleton of a pattern: escapes and classes are a plain x, groups a plain bracket. */
function bareForm(pattern: string): string {
  return pattern
    .replace(/\\[^1-9k]/g, "x")
    .replace(/\[\^?\]?[^\]]*\]/g, "x")
    .replace(/\((\?(?:[:=!]|<[=!]|<\w+>))/g, "(");
}

/** Why a pattern could take exponential or high polynomial time; undefined if it cannot. */
function backtracking(bare: string): string | undefined {
  if (/\\[1-9k]/.test(bare)) return "refers back to a group";
  if (count(bare, repetition) > MAX_REPETITIONS)
    return `has more than ${MAX_REPETITIONS} repetitions`;
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
