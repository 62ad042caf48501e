import { RE2JS } from "re2js";
import type { Now } from "#contract/ports.ts";
import { err, ok, type Result } from "#contract/result.ts";
import type { GrepMatch } from "#contract/workspace.ts";

/**
 * Line search with a pattern the model wrote, in time linear in the text whatever the pattern: a
 * JavaScript regular expression may backtrack without end and cannot be interrupted, which would block
 * every conversation of the agent. The price is RE2's syntax: no back-references, no look-around.
 * Linear is not short: the factor is the size of the compiled program, so that is bounded, the search
 * pauses for others after every slice of work, and ends with what it has found when its time is up.
 */
const MAX_PATTERN = 200;
/** Instructions. Two hundred plain characters have 202, `.{0,200}` has 403. */
const MAX_PROGRAM = 500;
/** Matches kept per file. */
const MAX_PER_FILE = 200;
const SHOWN = 300;
/** Of a longer line only the beginning is looked at: within a line there is no pausing. */
const MAX_LINE = 32_768;
/** Characters times instructions; at worst some 15 ns each. */
const SLICE = 5_000_000;
const MAX_SEARCH_MS = 1_500;

export type LinePattern = RE2JS;

export interface GrepClock {
  /** Need not move between two pauses: on Workers it stands still while code runs. */
  readonly now: Now;
  /** Lets other calls of the same object in. */
  pause(): Promise<void>;
}

export function compilePattern(pattern: string, ignoreCase: boolean): Result<LinePattern, string> {
  if (pattern === "") return err("The pattern is empty.");
  if (pattern.length > MAX_PATTERN) {
    return err(`The pattern is longer than ${MAX_PATTERN} characters.`);
  }
  try {
    const compiled = RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    if (compiled.programSize() <= MAX_PROGRAM) return ok(compiled);
    return err("The pattern is too costly: use smaller repetition counts, or * and +.");
  } catch {
    return err("The pattern is not valid (RE2 syntax: no back-references, no look-around).");
  }
}

/** One search through any number of texts. */
export class LineSearch {
  readonly #pattern: LinePattern;
  readonly #clock: GrepClock;
  readonly #cost: number;
  #work = 0;
  #leftMs = MAX_SEARCH_MS;
  #partial = false;

  constructor(pattern: LinePattern, clock: GrepClock) {
    this.#pattern = pattern;
    this.#clock = clock;
    this.#cost = pattern.programSize();
  }

  /** True: nothing more is looked at. */
  get over(): boolean {
    return this.#leftMs <= 0;
  }

  /** True: some text was not looked at to its end. */
  get partial(): boolean {
    return this.#partial;
  }

  /** The lines that match, at most 200, each cut to 300 characters around the start of the match. */
  async lines(path: string, text: string): Promise<GrepMatch[]> {
    const matches: GrepMatch[] = [];
    let since = this.#clock.now();
    for (const [index, whole] of text.split("\n").entries()) {
      if (this.#work >= SLICE) since = await this.#pause(since);
      if (this.over) {
        this.#partial = true;
        return matches;
      }
      const shown = this.#look(whole.replace(/\r$/, ""));
      if (shown !== null) matches.push({ path, line: index + 1, text: shown });
      if (matches.length >= MAX_PER_FILE) break;
    }
    await this.#pause(since);
    return matches;
  }

  /** What is shown of a line that matches. */
  #look(whole: string): string | null {
    const line = whole.slice(0, MAX_LINE);
    if (line.length < whole.length) this.#partial = true;
    this.#work += (line.length + 1) * this.#cost;
    // The yes or no is many times cheaper than the place, which only a long line needs.
    if (!this.#pattern.test(line)) return null;
    if (line.length <= SHOWN) return line.toWellFormed();
    this.#work += line.length * this.#cost;
    const matcher = this.#pattern.matcher(line);
    const start = matcher.find() ? Math.max(0, matcher.start() - SHOWN / 3) : 0;
    return line.slice(start, start + SHOWN).toWellFormed();
  }

  /** Only here the clock is sure to have moved, so only here time is counted. */
  async #pause(since: number): Promise<number> {
    await this.#clock.pause();
    this.#work = 0;
    const now = this.#clock.now();
    this.#leftMs -= Math.max(0, now - since);
    return now;
  }
}
