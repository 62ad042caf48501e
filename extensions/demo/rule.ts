/** What a person may want of the demo, and how a phrase says so. Shared by intent.ts and question.ts. */
export type Intent =
  | { readonly type: "remember"; readonly fact: string }
  | { readonly type: "recall"; readonly about: string }
  | { readonly type: "search"; readonly about: string }
  | { readonly type: "read"; readonly path: string }
  | { readonly type: "list"; readonly path: string }
  | { readonly type: "write" | "append"; readonly path: string; readonly text: string }
  | {
      readonly type: "replace";
      readonly path: string;
      readonly oldText: string;
      readonly newText: string;
    }
  | { readonly type: "send"; readonly text: string }
  | { readonly type: "memory" }
  | { readonly type: "status" | "quiet" | "help" | "remind" | "hello" | "thanks" | "unknown" };

export type Rule = readonly [pattern: RegExp, toIntent: (match: RegExpExecArray) => Intent | null];

/** What people put in front of what they want. */
export const please = String.raw`^(?:(?:please|can you|could you|would you|help me|hey|ok|okay)[, ]+)*`;

export function rule(source: string, toIntent: (match: RegExpExecArray) => Intent | null): Rule {
  return [new RegExp(source, "isu"), toIntent];
}

export function recall(about: string | undefined): Intent | null {
  const topic = (about ?? "").trim();
  return topic === "" ? null : { type: "recall", about: topic };
}
