import { FORGOTTEN } from "./forget-text.ts";

/**
 * The same value with every text in it changed; the very same object where none was. JSON in a text (what
 * a model calls a tool with) is changed inside, so that it stays JSON. Thinking that a provider has signed
 * cannot be changed: such a part is left out. A single word that says what a part is, and not what was said
 * in it, stays: a fact may be a word like "text", and without it the row could not be read any more.
 */
type Forget = (text: string) => string;

export function forgetInValue(value: unknown, forget: Forget): unknown {
  if (typeof value === "string") return forgetInText(value, forget);
  if (Array.isArray(value)) return forgetInList(value, forget);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, old]: [string, unknown]) => [
    name,
    isForm(name, old) ? old : forgetInValue(old, forget),
  ]);
  const before = Object.values(value);
  return fields.every(([, next], index) => next === before[index])
    ? value
    : Object.fromEntries(fields);
}

const forms = new Set(["type", "role", "kind", "status", "trust", "channel", "mode", "format"]);

function isForm(name: string, value: unknown): boolean {
  return forms.has(name) && typeof value === "string" && /^[a-z_-]+$/.test(value);
}

function forgetInList(list: readonly unknown[], forget: Forget): unknown {
  const next = list.map((each) => forgetInValue(each, forget));
  if (next.every((each, index) => each === list[index])) return list;
  const kept = next.filter((each, index) => each === list[index] || !isSigned(each));
  return kept.length > 0 ? kept : [{ type: "text", text: FORGOTTEN }];
}

function isSigned(part: unknown): boolean {
  return typeof part === "object" && part !== null && "type" in part && part.type === "thinking";
}

function forgetInText(text: string, forget: Forget): string {
  if (!/^\s*[{[]/.test(text)) return forget(text);
  try {
    const parsed: unknown = JSON.parse(text);
    const next = forgetInValue(parsed, forget);
    return next === parsed ? text : JSON.stringify(next);
  } catch {
    return forget(text);
  }
}
