import { nearest } from "#kit/nearest.ts";
import type { Command, CommandDescription } from "./command.ts";

/**
 * What somebody most likely meant who has misspelt a command, for the answer only: nothing is ever done that
 * was not written. Asking a model about it would help nobody; but a `/word` with words behind it is a command
 * only if the one it is near to takes just these, and is plain text else.
 */
export interface KnownCommands {
  readonly rows: ReadonlyMap<string, CommandDescription>;
  readonly parse: (text: string) => Command | undefined;
}

/** Short words are near to too much once anything stands behind them. */
const LEAST_LETTERS = 5;
/** A whole sentence is not said back. */
const MOST_SHOWN = 60;

export function misspelt(
  text: string,
  { rows, parse }: KnownCommands,
): Extract<Command, { name: "invalid" }> | null {
  const [, word, rest = ""] = /^\s*\/([A-Za-z]+)(?:[^\S\n]+(\S[^\n]*))?\s*$/.exec(text) ?? [];
  if (word === undefined) return null;
  const meant = undone(word, rest, rows) ?? near(word, rest, rows);
  const command = meant && parse(meant.text);
  if (!meant || !command || command.name === "invalid") return null;
  const message = `There is no command /${word}. Did you mean ${shown(meant.text)}? /commands lists all of them.`;
  return { name: "invalid", of: meant.row.name, message };
}

interface Meant {
  readonly row: CommandDescription;
  readonly text: string;
}

/** `/unpin`: what can be switched off is undone by that word. */
function undone(word: string, rest: string, rows: KnownCommands["rows"]): Meant | undefined {
  const row = rows.get(/^un(.+)$/i.exec(word)?.[1]?.toLowerCase() ?? "");
  const isSwitch = row?.argumentHint !== undefined && /\boff\b/.test(row.argumentHint);
  return rest === "" && row && isSwitch ? { row, text: `/${row.name} off` } : undefined;
}

function near(word: string, rest: string, rows: KnownCommands["rows"]): Meant | undefined {
  const row = rows.get(nearest(word, rows.keys()) ?? "");
  if (rest === "") return row && { row, text: `/${row.name}` };
  const takesSome = row?.argumentHint !== undefined && word.length >= LEAST_LETTERS;
  return takesSome ? { row, text: `/${row.name} ${rest.trimEnd()}` } : undefined;
}

/** The beginning of an answer about a word behind a command; "" = it is near to none. */
export function meantBy(argument: string, words: readonly string[], command: string): string {
  const [word = ""] = argument.split(/\s/);
  const meant = nearest(word, words);
  if (meant === undefined || meant === word.toLowerCase()) return "";
  return `Did you mean ${shown(`/${command} ${meant}${argument.slice(word.length)}`)}? `;
}

function shown(text: string): string {
  const line = text.replaceAll(/[\s`]+/g, " ");
  return line.length > MOST_SHOWN ? (line.split(" ", 1)[0] ?? "") : line;
}
