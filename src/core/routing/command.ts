import { queueModes, type QueueMode } from "#contract/config.ts";
import type { ParsedMessage, Sender } from "#contract/message.ts";
import { thinkingLevels, type ThinkingLevel } from "#contract/model.ts";
import { projectKey } from "#kit/project-key.ts";
import { memoryHint, memoryUsage, memoryWords, type MemoryWords } from "./memory-action.ts";
import { meantBy, misspelt } from "./misspelt.ts";

/**
 * Commands in a chat: which there are, who may give them, and how text becomes one. Parsing knows nothing of
 * the session; carrying a command out is somebody else's work. An unknown `/word` is plain text, unless it is
 * nearly a command (misspelt.ts). A bare "stop" counts as /stop, marked `explicit: false`, so that it can
 * stay plain text while nothing runs; no other word does, and no longer sentence ("stop that").
 */
const usageDetails = ["off", "tokens", "full", "cost"] as const;
export type UsageDetail = (typeof usageDetails)[number];

type PlainCommandName =
  | "help"
  | "commands"
  | "status"
  | "whoami"
  | "again"
  | "models"
  | "context"
  | "export";

export type Command =
  | { readonly name: PlainCommandName }
  | { readonly name: "new"; readonly model?: string }
  | { readonly name: "reset"; readonly soft: boolean }
  | { readonly name: "stop"; readonly explicit: boolean }
  | { readonly name: "pin"; readonly isPinned: boolean }
  | { readonly name: "model"; readonly model?: string }
  | { readonly name: "think"; readonly level?: ThinkingLevel }
  | { readonly name: "usage"; readonly detail?: UsageDetail }
  | { readonly name: "queue"; readonly mode?: QueueMode }
  | { readonly name: "steer"; readonly text?: string }
  | ({ readonly name: "memory" } & MemoryWords)
  /** Null = none. */
  | { readonly name: "project"; readonly key?: string | null }
  | { readonly name: "intents"; readonly close?: IntentClosing }
  | { readonly name: "dreaming"; readonly action: DreamAction; readonly argument?: string }
  /** A known command with an argument it does not take, or misspelt; `message` says what to write. */
  | { readonly name: "invalid"; readonly of: CommandName; readonly message: string };

const dreamActions = ["status", "on", "off", "run", "dry", "why", "undo"] as const;
export type DreamAction = (typeof dreamActions)[number];

export interface IntentClosing {
  readonly id: string;
  readonly status: "done" | "cancelled";
}

export interface CommandDescription {
  readonly name: Exclude<Command["name"], "invalid">;
  readonly argumentHint?: string;
  readonly description: string;
  /** `anyone`: whoever is admitted. Whatever changes something or tells of the owner is the owner's. */
  readonly access: "owner" | "anyone";
}

export type CommandName = CommandDescription["name"];

export const commandTable: readonly CommandDescription[] = [
  { name: "help", description: "What I can do and how to begin", access: "anyone" },
  { name: "commands", description: "All commands", access: "anyone" },
  {
    name: "status",
    description: "What runs, which model, how full the context is",
    access: "anyone",
  },
  { name: "whoami", description: "Your id here and what you may do", access: "anyone" },
  {
    name: "new",
    argumentHint: "[model]",
    description: "Start a fresh conversation; settings stay",
    access: "owner",
  },
  {
    name: "reset",
    argumentHint: "[soft]",
    description: "Start afresh with default settings; soft keeps them",
    access: "owner",
  },
  { name: "stop", description: "Stop what is running", access: "owner" },
  {
    name: "again",
    description: "Show the last answer again, or try the last message again",
    access: "owner",
  },
  {
    name: "model",
    argumentHint: "[name]",
    description: "Show or change the model",
    access: "owner",
  },
  { name: "models", description: "Models to choose from", access: "owner" },
  {
    name: "think",
    argumentHint: `<${thinkingLevels.join("|")}>`,
    description: "How long to think",
    access: "owner",
  },
  {
    name: "usage",
    argumentHint: `[${usageDetails.join("|")}]`,
    description: "Tokens and cost; with a word, shown under answers",
    access: "owner",
  },
  { name: "context", description: "What the model is given with each message", access: "owner" },
  {
    name: "queue",
    argumentHint: `[${queueModes.join("|")}]`,
    description: "What happens to messages sent while I work",
    access: "owner",
  },
  {
    name: "steer",
    argumentHint: "[text]",
    description: "Pass a word to the running turn",
    access: "owner",
  },
  {
    name: "memory",
    argumentHint: memoryHint,
    description: "Look into my memory, ask where it has something from, have it forget",
    access: "owner",
  },
  {
    name: "project",
    argumentHint: "[name|off]",
    description: "Which projects this conversation is about",
    access: "owner",
  },
  {
    name: "intents",
    argumentHint: "[done|cancel <id>]",
    description: "What I do when something comes up",
    access: "owner",
  },
  {
    name: "dreaming",
    argumentHint: `[on|off|run|dry|why <text>|undo]`,
    description: "What the nights make of my notes",
    access: "owner",
  },
  {
    name: "pin",
    argumentHint: "[off]",
    description: "Keep all of this conversation at hand; off lets old parts be archived",
    access: "owner",
  },
  { name: "export", description: "This conversation as a file", access: "owner" },
];

const byName = new Map<string, CommandDescription>(commandTable.map((row) => [row.name, row]));
const known = { rows: byName, parse: (text: string) => parseCommand(text)?.command };

/**
 * The command a text is, or null. `addressee` is the `name` of `/command@name`: whether that is us
 * only the channel knows.
 */
export function parseCommand(text: string): { command: Command; addressee?: string } | null {
  if (text.trim().toLowerCase() === "stop") return { command: { name: "stop", explicit: false } };
  const match = /^\s*\/([A-Za-z]+)(?:@(\w+))?(?:\s+([^]*))?$/.exec(text);
  const row = byName.get(match?.[1]?.toLowerCase() ?? "");
  if (!match || !row) return null;
  const command = withArgument(row.name, (match[3] ?? "").trim());
  return match[2] === undefined ? { command } : { command, addressee: match[2] };
}

/**
 * The command a message is, or null. Forwarded words are someone else's, a button carries its own
 * payload, and in a group `/new@other` is for the other bot.
 */
export function commandOf(
  message: Pick<ParsedMessage, "text" | "forwarded" | "action" | "mentionsSelf" | "route">,
): Command | null {
  if (message.forwarded || message.action !== undefined) return null;
  const parsed = parseCommand(message.text);
  if (parsed === null) return isForUsAlone(message) ? misspelt(message.text, known) : null;
  return parsed.addressee === undefined || isForUsAlone(message) ? parsed.command : null;
}

/** In a group, what is not addressed to the assistant may well be for somebody else. */
function isForUsAlone(message: Pick<ParsedMessage, "mentionsSelf" | "route">): boolean {
  return message.mentionsSelf || message.route.kind === "direct";
}

/** May this admitted person give this command? */
export function isCommandFor(command: Command, sender: Pick<Sender, "isOwner">): boolean {
  if (sender.isOwner) return true;
  const name = command.name === "invalid" ? command.of : command.name;
  return byName.get(name)?.access === "anyone";
}

/** `/new [model]`. */
export function commandUsage(row: CommandDescription): string {
  return row.argumentHint === undefined ? `/${row.name}` : `/${row.name} ${row.argumentHint}`;
}

function withArgument(name: CommandName, argument: string): Command {
  const given = argument !== "";
  switch (name) {
    case "new":
    case "model":
      return given ? { name, model: argument } : { name };
    case "steer":
      return given ? { name, text: argument } : { name };
    case "project":
      return project(argument);
    case "intents":
      return intents(argument);
    case "dreaming":
      return dreaming(argument);
    case "reset":
      if (given && argument.toLowerCase() !== "soft") return invalid(name);
      return { name, soft: given };
    case "pin":
      if (given && argument.toLowerCase() !== "off") return invalid(name);
      return { name, isPinned: !given };
    case "stop":
      return { name, explicit: true };
    case "think":
      return choice(name, argument, thinkingLevels, (level) => ({ name, level }));
    case "usage":
      return choice(name, argument, usageDetails, (detail) => ({ name, detail }));
    case "queue":
      return choice(name, argument, queueModes, (mode) => ({ name, mode }));
    case "memory":
      return memoryCommand(argument);
    default:
      return { name };
  }
}

function memoryCommand(argument: string): Command {
  const words = memoryWords(argument);
  if (words !== null) return { name: "memory", ...words };
  return { name: "invalid", of: "memory", message: memoryUsage(argument) };
}

function project(argument: string): Command {
  if (argument === "") return { name: "project" };
  if (argument.toLowerCase() === "off") return { name: "project", key: null };
  const key = projectKey(argument);
  return key.ok
    ? { name: "project", key: key.value }
    : { name: "invalid", of: "project", message: key.error };
}

function dreaming(argument: string): Command {
  const [word = ""] = argument.split(/\s/);
  const more = argument.slice(word.length).trim();
  const action = dreamActions.find((each) => each === (word.toLowerCase() || "status"));
  const isRight = action === "why" ? more !== "" : action === "undo" || more === "";
  if (action === undefined) return invalid("dreaming", meantBy(argument, dreamActions, "dreaming"));
  if (!isRight) return invalid("dreaming");
  return more === "" ? { name: "dreaming", action } : { name: "dreaming", action, argument: more };
}

function intents(argument: string): Command {
  if (argument === "") return { name: "intents" };
  const [, word, id] = /^(done|cancel)\s+([0-9a-z]+)$/i.exec(argument) ?? [];
  if (word === undefined || id === undefined) return invalid("intents");
  const status = word.toLowerCase() === "done" ? "done" : "cancelled";
  return { name: "intents", close: { id: id.toLowerCase(), status } };
}

function choice<Choice extends string>(
  name: "think" | "usage" | "queue",
  argument: string,
  choices: readonly Choice[],
  build: (chosen: Choice) => Command,
): Command {
  if (argument === "") return { name };
  const chosen = choices.find((candidate) => candidate === argument.toLowerCase());
  return chosen === undefined ? invalid(name, meantBy(argument, choices, name)) : build(chosen);
}

function invalid(of: CommandName, hint = ""): Command {
  const row = byName.get(of);
  return { name: "invalid", of, message: row ? `${hint}Use it as ${commandUsage(row)}.` : "" };
}
