import type { Intent } from "./rule.ts";
import { keywords, literal } from "./keywords.ts";
import { anything, notePaths } from "./notes.ts";

/**
 * Intent → the tool call that does it. The only place that knows the tools' names and arguments; a tool
 * that is not in the request is never called.
 */
export interface PlannedCall {
  readonly name: string;
  readonly input: Readonly<Record<string, string | boolean | number | readonly string[]>>;
}

/** Empty: this needs no tool, or there is none that does it. */
export function planCalls(intent: Intent): PlannedCall[] {
  const call = planCall(intent);
  return call ? [call] : [];
}

/** The notes, once it is known which there are; null = that cannot be known. */
export function planNotes(listing: string | null): PlannedCall[] {
  return notePaths(listing).map((path) => ({
    name: "grep",
    input: { pattern: anything, path, ignore_case: true },
  }));
}

function planCall(intent: Intent): PlannedCall | null {
  switch (intent.type) {
    case "memory":
      return { name: "ls", input: { path: "memory" } };
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
