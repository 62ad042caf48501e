/** `/memory <action> [more]`: which actions there are, and what each takes. */
export const memoryActions = [
  "search",
  "show",
  "why",
  "forget",
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

export const memoryHint =
  "[search <words>|why <text>|forget <text>|show [path]|adopt <path>|versions [path]|restore <path> <version>|promote [apply]|index [force]|status|off|on]";

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

/** Null: that is not how it is used. */
export function memoryWords(text: string): MemoryWords | null {
  const [word = ""] = text.split(/\s/);
  const argument = text.slice(word.length).trim();
  const action = memoryActions.find((each) => each === (word.toLowerCase() || "status"));
  if (action === undefined || !fits(takes[action], argument)) return null;
  return argument === "" ? { action } : { action, argument };
}

function fits(what: Takes, argument: string): boolean {
  if (typeof what !== "string") return what.includes(argument.toLowerCase());
  if (what === "anything") return true;
  return (what === "something") === (argument !== "");
}
