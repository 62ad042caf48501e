import { parseArgs, type ParseArgsConfig } from "node:util";
import { err, ok, type Result } from "#contract/result.ts";

/**
 * The command line of `npm start`, `npm run chat` and `npm run setup`. What cannot be understood is a
 * sentence for whoever typed it, never a stack trace. npm keeps options for itself that are not behind
 * `--`; it leaves them in the environment, so that can be said as well.
 */
export interface CommandLine<Config extends ParseArgsConfig> {
  /** As npm calls the script. */
  readonly script: string;
  readonly help: string;
  readonly config: Config;
}

type Parsed<Config extends ParseArgsConfig> = ReturnType<typeof parseArgs<Config>>;

/** Ends the process with 2 if the command line cannot be understood. */
export function optionsOrExit<const Config extends ParseArgsConfig>(
  line: CommandLine<Config>,
): Parsed<Config> {
  const read = readOptions(line, process.argv.slice(2), process.env);
  if (read.ok) return read.value;
  process.stderr.write(`${read.error}\n\n${line.help}`);
  process.exit(2);
}

export function readOptions<const Config extends ParseArgsConfig>(
  { script, config }: CommandLine<Config>,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Result<Parsed<Config>, string> {
  const names = Object.keys(config.options ?? {});
  const kept = names.filter((name) => isKept(name, script, args, environment));
  if (kept.length > 0) {
    const list = kept.map((name) => `--${name}`).join(" and ");
    const call = script === "start" ? "npm start" : `npm run ${script}`;
    return err(`npm kept ${list} for itself. Put -- in front: ${call} -- --${kept[0]} …`);
  }
  try {
    return ok(parseArgs({ ...config, args: [...args] }) as Parsed<Config>);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return err(explain(error, names));
  }
}

function isKept(
  name: string,
  script: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): boolean {
  if (environment["npm_lifecycle_event"] !== script) return false;
  if (args.some((arg) => arg === `--${name}` || arg.startsWith(`--${name}=`))) return false;
  return (environment[`npm_config_${name.replaceAll("-", "_")}`] ?? "") !== "";
}

function explain(error: Error, names: readonly string[]): string {
  const code = "code" in error ? error.code : "";
  const quoted = /'([^']*)'/.exec(error.message)?.[1] ?? "";
  if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") {
    const meant = similar(quoted.replace(/^-+/, ""), names);
    return `There is no option ${quoted}.${meant === undefined ? "" : ` Did you mean --${meant}?`}`;
  }
  if (code === "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL") {
    const address = names.includes("url") && /[.:]/.test(quoted);
    return `"${quoted}" is not an option.${address ? ` Did you mean --url ${quoted}?` : ""}`;
  }
  const option = /--[\w-]+/.exec(quoted)?.[0] ?? quoted;
  return error.message.includes("does not take")
    ? `${option} does not take a value.`
    : `${option} needs a value behind it.`;
}

/** The name that is most like a mistyped one; undefined when none is close. */
function similar(word: string, names: readonly string[]): string | undefined {
  const scored = names.map((name) => ({ name, score: likeness(word, name) }));
  const best = scored.toSorted((one, other) => other.score - one.score)[0];
  return best && best.score >= 0.5 ? best.name : undefined;
}

function likeness(one: string, other: string): number {
  const [mine, theirs] = [featuresOf(one), featuresOf(other)];
  const shared = mine.filter((feature) => theirs.includes(feature)).length;
  return (2 * shared) / (mine.length + theirs.length || 1);
}

/** The letters, and the pairs of neighbours with the beginning and the end. */
function featuresOf(word: string): string[] {
  const letters = word.toLowerCase().split("");
  const framed = ["^", ...letters, "$"];
  return [...letters, ...framed.slice(1).map((letter, index) => `${framed[index]}${letter}`)];
}
