import JSON5 from "json5";
import type { z } from "zod";
import { configSchema, type Config } from "#contract/config.ts";
import { err, ok, type Result } from "#contract/result.ts";
import type { ClosedAccess, ConfigProblem } from "#contract/runtime-config.ts";
import { checkMeaning } from "./meaning.ts";
import { nearest } from "#kit/nearest.ts";
import { describeIssue, knownKeys } from "./schema-text.ts";
import { formatPath, isBranch, removeKey, type Branch, type DocumentPath } from "./tree.ts";
import { substituteVariables } from "./variables.ts";

/**
 * The configuration document → settings that can be run with, whatever the document holds. An unknown
 * key is ignored with a warning, a broken section falls back to its defaults, a broken custom tool is
 * left out; all of it is reported. What decides on access closes instead: a broken channel admits
 * nobody, broken bindings or an unreadable document admit nobody anywhere. An unknown key inside a
 * binding counts as broken, since without it the binding would cover more than was meant.
 */
export interface DocumentReading {
  readonly config: Config;
  readonly closed: ClosedAccess;
  readonly problems: readonly ConfigProblem[];
  /** What `${VAR}` was replaced by. */
  readonly secrets: readonly string[];
}

type Issue = z.core.$ZodIssue;

/** Never throws. `text` undefined or blank = the defaults. */
export function readDocument(
  text: string | undefined,
  variable: (name: string) => string | undefined,
): DocumentReading {
  if (text === undefined || text.trim() === "") return defaults([], []);
  const parsed = parseObject(text);
  if (!parsed.ok) {
    const message = `${parsed.error}; nobody is admitted`;
    return defaults("all", [{ severity: "error", path: "PAGURUS_CONFIG", message }]);
  }
  const { problems, secrets, brokenTools } = substituteVariables(parsed.value, variable);
  const repair = new Repair(parsed.value, brokenTools);
  const config = repair.run();
  return {
    config,
    closed: repair.closed,
    problems: [...problems, ...repair.problems, ...checkMeaning(config)],
    secrets,
  };
}

function defaults(closed: ClosedAccess, problems: readonly ConfigProblem[]): DocumentReading {
  return { config: configSchema.parse({}), closed, problems, secrets: [] };
}

function parseObject(text: string): Result<Branch, string> {
  try {
    const value = JSON5.parse<unknown>(text);
    return isBranch(value) ? ok(value) : err("the document is not an object");
  } catch (error) {
    if (error instanceof SyntaxError) return err(error.message);
    throw error;
  }
}

/** Takes out of a document whatever the schema refuses, round by round, and notes what that costs. */
class Repair {
  readonly problems: ConfigProblem[] = [];
  readonly #document: Branch;
  readonly #closedChannels = new Set<string>();
  #allClosed = false;
  /** Where the remaining custom tools stood in the document. */
  #toolPlaces: number[];

  constructor(document: Branch, brokenTools: ReadonlySet<number>) {
    this.#document = document;
    this.#toolPlaces = this.#tools().map((_tool, index) => index);
    this.#dropTools(brokenTools);
  }

  get closed(): ClosedAccess {
    return this.#allClosed ? "all" : [...this.#closedChannels];
  }

  /** Each round takes something out of the document, so the rounds come to an end. */
  run(): Config {
    let result = configSchema.safeParse(this.#document);
    while (!result.success) {
      const tools = new Set<number>();
      for (const issue of result.error.issues) this.#cure(issue, tools);
      this.#dropTools(tools);
      result = configSchema.safeParse(this.#document);
    }
    return result.data;
  }

  #cure(issue: Issue, tools: Set<number>): void {
    const { path } = issue;
    const [section, second, third] = path;
    if (issue.code === "unrecognized_keys" && section !== "bindings") {
      this.#dropKeys(path, issue.keys);
    } else if (section === "channels" && second !== undefined) {
      this.#closedChannels.add(String(second));
      this.#report(issue, `nobody is admitted on ${String(second)}`);
      removeKey(this.#document, ["channels"], second);
    } else if (section === "tools" && second === "custom" && typeof third === "number") {
      this.#report(issue, "this tool is off");
      tools.add(third);
    } else {
      this.#dropSection(issue, section);
    }
  }

  #dropSection(issue: Issue, section: PropertyKey | undefined): void {
    const aboutAccess = section === "channels" || section === "bindings" || section === undefined;
    if (aboutAccess) this.#allClosed = true;
    this.#report(
      issue,
      aboutAccess ? "nobody is admitted" : `${String(section)} is at its defaults`,
    );
    const sections = section === undefined ? Reflect.ownKeys(this.#document) : [section];
    for (const key of sections) removeKey(this.#document, [], key);
  }

  #dropKeys(path: DocumentPath, keys: readonly string[]): void {
    for (const key of keys) {
      const meant = nearest(key, knownKeys(path));
      const hint = meant === undefined ? "" : `; did you mean "${meant}"?`;
      const at = this.#pathInDocument([...path, key]);
      this.problems.push({ severity: "warning", path: at, message: `unknown key, ignored${hint}` });
      removeKey(this.#document, path, key);
    }
  }

  #report(issue: Issue, consequence: string): void {
    const path = this.#pathInDocument(issue.path);
    const message = `${describeIssue(issue, this.#document)}; ${consequence}`;
    this.problems.push({ severity: "error", path, message });
  }

  #pathInDocument(path: DocumentPath): string {
    const [section, second, third, ...rest] = path;
    if (section !== "tools" || second !== "custom" || typeof third !== "number") {
      return formatPath(path);
    }
    return formatPath([section, second, this.#toolPlaces[third] ?? third, ...rest]);
  }

  #tools(): unknown[] {
    const tools = isBranch(this.#document["tools"]) ? this.#document["tools"]["custom"] : [];
    return Array.isArray(tools) ? tools : [];
  }

  #dropTools(places: ReadonlySet<number>): void {
    if (places.size === 0) return;
    const kept = this.#tools().filter((_tool, index) => !places.has(index));
    this.#toolPlaces = this.#toolPlaces.filter((_place, index) => !places.has(index));
    if (isBranch(this.#document["tools"])) this.#document["tools"]["custom"] = kept;
  }
}
