import { meantBy } from "./misspelt.ts";

/** `/memory <action> [more]`: which actions there are, and what each takes. */
const memoryActions = [
  "search",
  "why",
  "forget",
  "show",
  "adopt",
  "versions",
  "restore",
  "promote",
  "index",
  "status",
  "off",
  "on",
] as const;
export type MemoryAction = (typeof memoryActions)[number];

export interface MemoryWords {
  readonly action: MemoryAction;
  readonly argument?: string;
}

type Takes = "nothing" | "anything" | "something" | readonly string[];

const takes: Readonly<Record<MemoryAction, Takes>> = {
  search: "something",
  show: "anything",
  why: "something",
  forget: "something",
  adopt: "something",
  versions: "anything",
  restore: "something",
  promote: ["", "apply", "--apply"],
  index: ["", "force", "--force"],
  status: "nothing",
  off: "nothing",
  on: "nothing",
};

/** What stands behind each in a hint. */
const hints: Partial<Record<MemoryAction, string>> = {
  search: "<words>",
  why: "<text>",
  forget: "<text>",
  show: "[path]",
  adopt: "<path>",
  versions: "[path]",
  restore: "<path> <version>",
  promote: "[apply]",
  index: "[force]",
};

export const memoryHint = `[${memoryActions.map(hintOf).join("|")}]`;

/** Null: that is not how it is used. */
export function memoryWords(text: string): MemoryWords | null {
  const { action, argument } = split(text);
  if (action === undefined || !fits(takes[action], argument)) return null;
  return argument === "" ? { action } : { action, argument };
}

/**
 * How the action that was meant is used: the others would only hide it. All of them if none is known, behind
 * the one that was probably meant.
 */
export function memoryUsage(text: string): string {
  const { action } = split(text);
  if (action === undefined) {
    return `${meantBy(text, memoryActions, "memory")}Use it as /memory ${memoryHint}.`;
  }
  const alone = takes[action] === "nothing" ? ", with nothing behind it" : "";
  return `Use it as /memory ${hintOf(action)}${alone}.`;
}

function hintOf(action: MemoryAction): string {
  const hint = hints[action];
  return hint === undefined ? action : `${action} ${hint}`;
}

function split(text: string): { readonly action?: MemoryAction; readonly argument: string } {
  const [word = ""] = text.split(/\s/);
  const action = memoryActions.find((each) => each === (word.toLowerCase() || "status"));
  return { ...(action ? { action } : {}), argument: text.slice(word.length).trim() };
}

function fits(what: Takes, argument: string): boolean {
  if (typeof what !== "string") return what.includes(argument.toLowerCase());
  if (what === "anything") return true;
  return (what === "something") === (argument !== "");
}
