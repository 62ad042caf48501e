/**
 * One line for anything that was thrown: names, messages, codes and the chain of causes. It is not a
 * stack trace and not for people in a chat (see faultText). The text is NOT redacted: callers use
 * `describeError` of redact.ts, which is.
 */
const maxDepth = 8;
const maxSiblings = 4;
const maxLength = 2000;

/** Never throws, whatever is handed in: hostile getters, cycles, proxies, primitives. */
export function errorText(error: unknown): string {
  const text = chain(error, new Set(), 0);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}

function chain(error: unknown, seen: Set<unknown>, depth: number): string {
  if (depth >= maxDepth) return "…";
  if (typeof error !== "object" || error === null) return primitiveText(error);
  if (seen.has(error)) return "(the same again)";
  seen.add(error);
  const parts = [headline(error)];
  const siblings = property(error, "errors");
  if (Array.isArray(siblings)) {
    const shown = siblings.slice(0, maxSiblings).map((one) => chain(one, seen, depth + 1));
    parts.push(`[${shown.join("; ")}${siblings.length > maxSiblings ? "; …" : ""}]`);
  }
  const cause = property(error, "cause");
  if (cause !== undefined && cause !== null) {
    parts.push(`(caused by ${chain(cause, seen, depth + 1)})`);
  }
  return parts.join(" ");
}

function primitiveText(value: unknown): string {
  return typeof value === "symbol" ? value.toString() : String(value);
}

function headline(error: object): string {
  const name = text(property(error, "name"));
  const message = text(property(error, "message"));
  const code = property(error, "code");
  const suffix =
    (typeof code === "string" || typeof code === "number") && !message.includes(String(code))
      ? ` [${code}]`
      : "";
  if (name === "" && message === "") return json(error) + suffix;
  return [name, message].filter((part) => part !== "").join(": ") + suffix;
}

function property(target: object, key: string): unknown {
  try {
    return Reflect.get(target, key);
  } catch {
    return undefined; // A getter that throws has nothing to tell.
  }
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function json(value: object): string {
  try {
    return JSON.stringify(value) ?? "an object";
  } catch {
    return "an object that cannot be shown"; // Cycles, bigints, hostile toJSON.
  }
}
