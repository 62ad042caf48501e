import type { Intent } from "./rule.ts";
import { keywords, literal } from "./keywords.ts";

/**
 * Intent → the tool call that does it. The only place that knows the tools' names and arguments; a tool
 * that is not in the request is never called.
 */
export interface PlannedCall {
  readonly name: string;
  readonly input: Readonly<Record<string, string | boolean | number | readonly string[]>>;
}

/** Where facts about the owner are. The assistant's own instructions would match every other word. */
export const notes = ["USER.md", "MEMORY.md", "memory"];

/** Every line that says something: no heading, comment, or form nobody has filled in. */
export const anything = String.raw`^\s*[^#<\s].*[^:\s]\s*$`;

/** Empty: this needs no tool, or there is none that does it. */
export function planCalls(intent: Intent): PlannedCall[] {
  if (intent.type === "memory") {
    return notes.map((path) => ({
      name: "grep",
      input: { pattern: anything, path, ignore_case: true },
    }));
  }
  const call = planCall(intent);
  return call ? [call] : [];
}

function planCall(intent: Exclude<Intent, { type: "memory" }>): PlannedCall | null {
  switch (intent.type) {
    case "remember":
      return { name: "memory_write", input: { text: intent.fact, target: "note" } };
    case "recall":
      // What was merely said holds the question, too.
      return {
        name: "memory_search",
        input: { query: intent.about, kinds: ["curated", "note"], limit: 10 },
      };
    case "search":
      return { name: "grep", input: { pattern: patternOf(intent.about), ignore_case: true } };
    case "read":
      return { name: "read", input: { path: intent.path } };
    case "list":
      return { name: "ls", input: intent.path === "" ? {} : { path: intent.path } };
    case "write":
      return {
        name: "write",
        input: { path: intent.path, text: `${intent.text}\n`, mode: "overwrite" },
      };
    case "append":
      return {
        name: "write",
        input: { path: intent.path, text: `${intent.text}\n`, mode: "append" },
      };
    case "replace":
      return {
        name: "edit",
        input: { path: intent.path, old_text: intent.oldText, new_text: intent.newText },
      };
    case "send":
      return { name: "message", input: { text: intent.text } };
    case "status":
      return { name: "session_status", input: {} };
    case "quiet":
      return { name: "stay_silent", input: { reason: "asked to be quiet" } };
    case "help":
    case "remind":
    case "hello":
    case "thanks":
    case "unknown":
      return null;
  }
}

function patternOf(about: string): string {
  return keywords(about).map(literal).join("|");
}
