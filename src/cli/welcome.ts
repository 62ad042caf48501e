import { stripVTControlCharacters } from "node:util";
import { widthOf, wrapText } from "./wrap.ts";
import { incompleteLines, problemLines, type Readiness } from "./readiness.ts";

/**
 * What `npm start` says once it is up: text only, in plain words, what to do next. A pure function of
 * what /readyz answered; styles are put on by the caller's `bold` and `dim`, which may do nothing.
 */
export interface WelcomeOptions {
  readonly url: string;
  readonly readiness: Readiness;
  /** Names of the settings that came from the environment. */
  readonly fromEnvironment: readonly string[];
  /** Sentences about names in .dev.vars that are almost settings. */
  readonly misspelt: readonly string[];
  /** Where state lives, as the person would write it. */
  readonly stateFolder: string;
  /** The terminal's width, if there is one. */
  readonly columns?: number | undefined;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
}

/** Columns before what a row says. */
const INDENT = 17;

type Row = readonly [label: string, ...lines: string[]];

export function welcomeText(options: WelcomeOptions): string {
  const { url, readiness, misspelt, bold, dim } = options;
  const isOwn = options.fromEnvironment.includes("GATEWAY_TOKEN");
  const keyPlace = isOwn ? "your environment" : ".dev.vars";
  const rows: Row[] = [
    ["Talk to it", `${bold("npm run chat")}   in a second terminal`],
    modelRow(options),
    ["As an API", `${url}/v1   the key is GATEWAY_TOKEN in ${keyPlace}`],
    ["Chat apps", appsLine(readiness)],
    ["Its state", `${options.stateFolder}   delete the folder to start from nothing`],
  ];
  const lines = [...misspelt, ...incompleteLines(readiness), ...problemLines(readiness)];
  const problems = lines.map((line) => wrapText(`  ! ${line}`, options.columns));
  return [
    `${bold("Pagurus is running")} at ${url}`,
    "",
    ...rows.flatMap((row) => layOut(row, options)),
    ...(problems.length === 0 ? [] : ["", ...problems]),
    "",
    dim("Ctrl-C stops it; nothing is lost."),
  ].join("\n");
}

function layOut([label, ...texts]: Row, { dim, columns }: WelcomeOptions): string[] {
  const room = columns === undefined ? undefined : columns - INDENT;
  const lines = texts.flatMap((text) => {
    // Styles take no room, but wrapping would count them.
    const fits = room === undefined || widthOf(stripVTControlCharacters(text)) <= room;
    return fits ? [text] : wrapText(text, room).split("\n");
  });
  return lines.map(
    (line, index) => `  ${dim((index === 0 ? label : "").padEnd(INDENT - 2))}${line}`,
  );
}

function modelRow({ readiness, bold, fromEnvironment }: WelcomeOptions): Row {
  const { model, ready } = readiness;
  const environment =
    fromEnvironment.length === 0 ? [] : [`from your environment: ${fromEnvironment.join(", ")}`];
  if (!ready) return ["Default model", `none: ${model}`, ...environment];
  if (!model.startsWith("demo/")) return ["Default model", model, ...environment];
  return [
    "Default model",
    `${model}: a few fixed rules, no account needed. For a real one put a`,
    "line into .dev.vars and start again:",
    `${bold("ANTHROPIC_API_KEY=…")}   Claude`,
    `${bold("OPENAI_API_KEY=…")}      GPT, or a compatible server with OPENAI_BASE_URL`,
    ...environment,
  ];
}

function appsLine({ channels }: Readiness): string {
  const apps = channels.filter(({ id }) => id !== "api");
  const ready = apps.filter(({ state }) => state === "ready").map(({ id }) => id);
  const reach = "They need a public address: README, “Deploy”";
  if (ready.length === 0) return `Telegram and Slack. ${reach}`;
  return `${ready.join(", ")} set up. ${reach}`;
}
